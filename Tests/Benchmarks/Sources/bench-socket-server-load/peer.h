/// One connection of the load: a socket, and the state of reading its frames.
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "socket_wire.h"

struct peer {
    int fd;
    /// The start of an incomplete frame header.
    uint8_t head[WIRE_MAXIMUM_HEADER];
    uint8_t head_count;
    struct wire_header frame;
    bool is_in_payload;
    uint64_t remaining;
    /// The payload of a control frame.
    uint8_t control[WIRE_MAXIMUM_CONTROL];
    uint8_t control_count;
    /// The number of all messages received so far.
    uint64_t messages;
};

/// A masked frame that is created once and sent many times.
struct message {
    uint8_t *bytes;
    size_t count;
};

struct message message_create(enum wire_opcode opcode, const char *text);

/// Returns a connected socket. Local addresses repeat with every 250th `number`, so that there are enough ports. Its receive
/// buffer is small if `is_small`.
int peer_dial(const struct options *options, size_t number, bool is_small);
/// Writes the request of the opening handshake; returns its length.
size_t peer_request(const struct options *options, char *out, size_t room);
/// Connects, does the opening handshake and the first exchanges; the socket doesn't block afterwards.
struct peer peer_open(const struct options *options, size_t number, bool is_small);
/// Sends a message; the socket must have room for it.
void peer_send(struct peer *peer, const struct message *message);
/// Reads the available bytes; returns the number of messages that they complete. `size` is the size of each message, or 0 for
/// any. Exits if a message has another size, or if the server has closed the connection.
uint64_t peer_read(struct peer *peer, size_t size);

#endif
