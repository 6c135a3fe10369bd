/// The options of the command line.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct options {
    uint16_t port;
    /// The server's process, whose CPU time and memory are read.
    pid_t pid;
    const char *workload;
    size_t connections;
    double seconds;
    const char *path;
    /// The value of Sec-WebSocket-Protocol, or NULL.
    const char *protocol;
    /// A text that each connection sends as soon as it is open, or NULL; the server must reply to it.
    const char *hello;
    /// The text of an exchange, and a part that its reply must contain, or NULL for any reply.
    const char *message, *expected;
    /// The text that makes the server send `batch` messages of `size` bytes to every connection; it has no other reply.
    const char *trigger;
    size_t batch, size;
    /// The number of exchanges of each connection before the measurement.
    uint64_t warm_up;
    /// The number of connections that stop reading.
    size_t asleep;
    /// The port of another server, to which the second half of the connections belong, or 0; its process if it is a different
    /// one, or 0.
    size_t other_port, other_pid;
    /// The process of the broker between the servers, or 0.
    size_t broker_pid;
    /// The maximum number of triggers per second, and the number of servers that each is sent to.
    size_t rate, publishers;
};

/// Reads the command line; exits if it is invalid.
struct options options_read(int count, char **words);

#endif
