/// One client: its socket, what waits to be written, and how far its frames are read.
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "socket_wire.h"

enum path { PATH_ECHO, PATH_SINK, PATH_SOURCE, PATH_IDLE, PATH_ROOM };

enum {
    /// What one call of recv takes at most.
    READ_SIZE = 256 << 10,
    /// Reading stops while so much waits to be written, so that a client that does not read cannot fill memory.
    MAXIMUM_WAITING = 4 << 20,
    /// The largest opening handshake.
    MAXIMUM_HEAD = 8 << 10,
};

/// Messages of one size that go out as fast as the client takes them.
struct source {
    /// Whole frames, one after the other: sent again and again, so that a message costs no copy here.
    uint8_t *block;
    size_t frame_size, frames_in_block;
    /// The part of the block that is being written; the frames after it.
    size_t offset, run_end;
    uint64_t remaining;
    /// Whether the text END is still to come.
    bool is_active;
};

struct connection {
    int fd;
    /// The events that epoll watches for.
    uint32_t interest;
    bool is_open;
    /// Ends when what waits is written.
    bool is_closing;
    enum path path;
    /// The next connection of /room, and what points here.
    struct connection *next, **link;
    struct buffer out;
    struct source source;

    /// The head of the opening handshake as far as it came; later the front of a frame's header that is incomplete.
    uint8_t *head;
    size_t head_count;

    /// The frame whose payload is being read, and how much of it is still to come.
    struct wire_header frame;
    bool is_in_payload;
    uint64_t payload_remaining;
    /// The payload of control frames and of commands.
    uint8_t command[WIRE_MAXIMUM_CONTROL + 1];
    size_t command_count;
    /// What came on /sink since the last report.
    uint64_t messages, message_bytes;
};

struct connection *connection_create(int fd);
void connection_free(struct connection *connection);

/// Takes the head of an HTTP request; the answer goes to `out`. `*consumed` is how many of the bytes belong to it.
/// False when it is no handshake.
bool handshake_receive(struct connection *connection, const uint8_t *bytes, size_t count, size_t *consumed);
/// Reads frames and does what the path is for. False when the client broke the protocol.
bool frames_receive(struct connection *connection, const uint8_t *bytes, size_t count);
/// Appends a frame of the server.
void frames_send(struct connection *connection, enum wire_opcode opcode, const void *payload, size_t count);

/// Writes what waits until the socket is full, and watches it accordingly; false when the client is gone.
bool connection_write(struct connection *connection);

/// /room: the connection is one of those that a broadcast reaches, until it leaves.
void room_enter(struct connection *connection);
void room_leave(struct connection *connection);
/// Sends `count` messages of `size` bytes to all of them.
void room_broadcast(size_t size, size_t count);

/// Begins to send `count` messages of `size` bytes and the text END. False when that is not possible.
bool source_begin(struct connection *connection, size_t size, uint64_t count);
/// The bytes that go out next, ahead of those in `out` if `is_unfinished`; NULL when there are none.
const uint8_t *source_pending(struct source *source, bool is_unfinished, size_t *count);
/// So many of them were written.
void source_consume(struct source *source, size_t count);

#endif
