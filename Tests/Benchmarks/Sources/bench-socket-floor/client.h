/// A WebSocket client of one connection that does nothing that could be left out: the floor of work.
#ifndef CLIENT_H
#define CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "socket_wire.h"

struct client {
    int fd, poller;
    /// The events that epoll watches for.
    uint32_t interest;
    /// What was received and not yet taken, and what waits to be sent.
    uint8_t *in, *out;
    size_t in_start, in_end, out_end;
    /// Random bytes for mask keys, as many as one call of the kernel gives without delay.
    uint8_t keys[256];
    size_t keys_used;
};

enum {
    /// The largest message.
    CLIENT_MAXIMUM_MESSAGE = 1 << 20,
    /// Small frames are gathered up to this size before they are written.
    CLIENT_WRITE_SIZE = 64 << 10,
    /// What a read takes at most when no large message is under way.
    CLIENT_READ_SIZE = 64 << 10,
};

/// Connects and does the opening handshake. Without buffers: `client_open_buffers` makes them.
void client_connect(struct client *client, uint16_t port, const char *path);
/// Ends the connection without a close frame.
void client_close(struct client *client);
void client_open_buffers(struct client *client);
/// Appends a masked frame to what waits.
void client_append(struct client *client, enum wire_opcode opcode, const void *payload, size_t count);
/// Writes all that waits.
void client_flush(struct client *client);
/// Waits for a whole message and takes it. The payload is valid until the next call.
const uint8_t *client_receive(struct client *client, struct wire_header *header);

#endif
