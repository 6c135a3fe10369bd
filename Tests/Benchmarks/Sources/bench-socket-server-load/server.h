/// What the server's process has cost so far.
#ifndef SERVER_H
#define SERVER_H

#include <sys/types.h>

/// Seconds on a clock that only runs forward.
double now(void);
/// User and system time of all threads of a process.
double cpu_seconds(pid_t pid);
/// Resident memory of a process.
long resident_bytes(pid_t pid);

#endif
