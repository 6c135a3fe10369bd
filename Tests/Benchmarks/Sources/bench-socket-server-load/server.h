/// The resources used by the server's process so far.
#ifndef SERVER_H
#define SERVER_H

#include <sys/types.h>

/// Returns the seconds of a monotonic clock.
double now(void);
/// Returns the user and system time of all threads of a process.
double cpu_seconds(pid_t pid);
/// Returns the resident memory of a process.
long resident_bytes(pid_t pid);

#endif
