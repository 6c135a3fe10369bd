/// One client: its socket, the bytes that wait to be written, and the state of reading its frames.
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "socket_wire.h"

enum path { PATH_ECHO, PATH_SINK, PATH_SOURCE, PATH_IDLE, PATH_ROOM };

enum {
    /// The maximum number of bytes of one recv call.
    READ_SIZE = 256 << 10,
    /// Reading stops while this many bytes wait to be written, so that a client that doesn't read can't fill memory.
    MAXIMUM_WAITING = 4 << 20,
    /// The maximum size of an opening handshake.
    MAXIMUM_HEAD = 8 << 10,
};

/// Messages of one size, sent as fast as the client takes them.
struct source {
    /// Whole frames, which are sent again and again, so that a message costs no copy here.
    uint8_t *block;
    size_t frame_size, frames_in_block;
    /// The position in the block, and the end of the frames that are being written; the number of frames after them.
    size_t offset, run_end;
    uint64_t remaining;
    /// True until the text END is queued.
    bool is_active;
};

struct connection {
    int fd;
    /// The events that epoll watches for.
    uint32_t interest;
    bool is_open;
    /// True if the connection ends as soon as everything that waits is written.
    bool is_closing;
    enum path path;
    /// The next connection of /room, and the pointer to this one.
    struct connection *next, **link;
    struct buffer out;
    struct source source;

    /// The received part of the opening handshake's head; later, the start of an incomplete frame header.
    uint8_t *head;
    size_t head_count;

    /// The frame whose payload is being read, and the number of payload bytes still to come.
    struct wire_header frame;
    bool is_in_payload;
    uint64_t payload_remaining;
    /// The payload of control frames and of commands.
    uint8_t command[WIRE_MAXIMUM_CONTROL + 1];
    size_t command_count;
    /// Messages and bytes received on /sink since the last report.
    uint64_t messages, message_bytes;
};

struct connection *connection_create(int fd);
void connection_free(struct connection *connection);

/// Reads the head of an HTTP request, and appends the response to `out`. `*consumed` is the number of bytes that belong to
/// the head. Returns false if the request isn't a handshake.
bool handshake_receive(struct connection *connection, const uint8_t *bytes, size_t count, size_t *consumed);
/// Reads frames and handles them as the path requires. Returns false if the client violated the protocol.
bool frames_receive(struct connection *connection, const uint8_t *bytes, size_t count);
/// Appends a server's frame to `out`.
void frames_send(struct connection *connection, enum wire_opcode opcode, const void *payload, size_t count);

/// Writes waiting bytes until the socket is full, and updates its events; returns false if the client is gone.
bool connection_write(struct connection *connection);

/// /room: adds the connection to the receivers of broadcasts, until it leaves.
void room_enter(struct connection *connection);
void room_leave(struct connection *connection);
/// Sends `count` messages of `size` bytes to all connections of /room.
void room_broadcast(size_t size, size_t count);

/// Starts to send `count` messages of `size` bytes and the text END. Returns false if that isn't possible.
bool source_begin(struct connection *connection, size_t size, uint64_t count);
/// Returns the bytes to send next; NULL if there are none. With `is_unfinished`, only the rest of a block that was begun,
/// which precedes the bytes in `out`.
const uint8_t *source_pending(struct source *source, bool is_unfinished, size_t *count);
/// Marks `count` of them as written.
void source_consume(struct source *source, size_t count);

#endif
