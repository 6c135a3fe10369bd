/// One connection of the load: a socket, and how far the frames that it brings are read.
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "socket_wire.h"

struct peer {
    int fd;
    /// The front of a frame's header that is incomplete.
    uint8_t head[WIRE_MAXIMUM_HEADER];
    uint8_t head_count;
    struct wire_header frame;
    bool is_in_payload;
    uint64_t remaining;
    /// The payload of a control frame.
    uint8_t control[WIRE_MAXIMUM_CONTROL];
    uint8_t control_count;
    /// Messages that came, of all times.
    uint64_t messages;
};

/// A masked frame, made once and sent often.
struct message {
    uint8_t *bytes;
    size_t count;
};

struct message message_create(enum wire_opcode opcode, const char *text);

/// A connected socket, from an address of its own for every 250th `number`: so many have ports. Small buffers where it
/// `is_small`.
int peer_dial(const struct options *options, size_t number, bool is_small);
/// The opening handshake; the request's length.
size_t peer_request(const struct options *options, char *out, size_t room);
/// Connects and opens, and says hello; the socket doesn't block afterwards.
struct peer peer_open(const struct options *options, size_t number, bool is_small);
/// Sends a message; the socket must have room for it.
void peer_send(struct peer *peer, const struct message *message);
/// Reads what there is; how many messages that completes. `size` is what each has, or 0. Ends the program when it is another,
/// or when the server has closed the connection.
uint64_t peer_read(struct peer *peer, size_t size);

#endif
