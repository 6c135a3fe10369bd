/// What the command line asks for.
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
    /// A text that each connection sends when it is open and has answered, or NULL.
    const char *hello;
    /// The text of an exchange, and a part that its answer has, or NULL for any.
    const char *message, *expected;
    /// The text that makes the server send `batch` messages of `size` bytes to every connection; its answer has none.
    const char *trigger;
    size_t batch, size;
    /// Exchanges of each connection ahead of what is measured.
    uint64_t warm_up;
    /// Connections that stop reading.
    size_t asleep;
    /// Another server, of which the second half of the connections are, or 0; its process, if that is another one, or 0.
    size_t other_port, other_pid;
    /// The process of the broker between the servers, or 0.
    size_t broker_pid;
    /// How often in a second the trigger is sent at most, and to how many of the servers.
    size_t rate, publishers;
};

/// Reads the words; ends the program where they are wrong.
struct options options_read(int count, char **words);

#endif
