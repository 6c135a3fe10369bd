/// A WebSocket client of one connection that does only what is necessary: the minimum of work.
#ifndef CLIENT_H
#define CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "socket_wire.h"

struct client {
    int fd, poller;
    /// The events that epoll watches for.
    uint32_t interest;
    /// Received bytes that weren't taken yet, and bytes that wait to be sent.
    uint8_t *in, *out;
    size_t in_start, in_end, out_end;
    /// Random bytes for mask keys: as many as one kernel call returns without delay.
    uint8_t keys[256];
    size_t keys_used;
};

enum {
    /// The maximum size of a message.
    CLIENT_MAXIMUM_MESSAGE = 1 << 20,
    /// Small frames are gathered up to this size before they are written.
    CLIENT_WRITE_SIZE = 64 << 10,
    /// The maximum size of a read, except within a large message.
    CLIENT_READ_SIZE = 64 << 10,
};

/// Connects and does the opening handshake. `client_open_buffers` must create the buffers afterwards.
void client_connect(struct client *client, uint16_t port, const char *path);
/// Ends the connection without a close frame.
void client_close(struct client *client);
void client_open_buffers(struct client *client);
/// Appends a masked frame to the bytes that wait to be sent.
void client_append(struct client *client, enum wire_opcode opcode, const void *payload, size_t count);
/// Writes all waiting bytes.
void client_flush(struct client *client);
/// Waits for a whole message and returns its payload. The payload is valid until the next call.
const uint8_t *client_receive(struct client *client, struct wire_header *header);

#endif
