/// The frames of RFC 6455 and the sockets below them, shared by the benchmarks' server, floor client and load generator.
///
/// Functions that run once for each frame are inline: a call into another file costs as much as reading a small frame.
#ifndef SOCKET_WIRE_H
#define SOCKET_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum wire_opcode {
    WIRE_CONTINUATION = 0,
    WIRE_TEXT = 1,
    WIRE_BINARY = 2,
    WIRE_CLOSE = 8,
    WIRE_PING = 9,
    WIRE_PONG = 10,
};

enum {
    /// Two bytes, eight bytes of extended length, and four bytes of mask key.
    WIRE_MAXIMUM_HEADER = 14,
    /// The largest payload of a control frame (section 5.5).
    WIRE_MAXIMUM_CONTROL = 125,
};

struct wire_header {
    uint8_t opcode;
    bool is_final;
    bool is_masked;
    /// Bytes of the header itself.
    uint8_t size;
    uint8_t mask[4];
    uint64_t length;
};

/// Reads the header at the front of `bytes`; returns false if the `count` bytes don't contain all of it.
static inline bool wire_read_header(const uint8_t *bytes, size_t count, struct wire_header *header) {
    if (count < 2) return false;
    header->opcode = bytes[0] & 15;
    header->is_final = bytes[0] >> 7;
    header->is_masked = bytes[1] >> 7;
    uint64_t length = bytes[1] & 127;
    size_t extended = length == 126 ? 2 : length == 127 ? 8 : 0;
    size_t size = 2 + extended + (header->is_masked ? 4 : 0);
    if (count < size) return false;
    if (extended) {
        length = 0;
        for (size_t i = 0; i < extended; i++) length = length << 8 | bytes[2 + i];
    }
    if (header->is_masked) memcpy(header->mask, bytes + size - 4, 4);
    header->size = (uint8_t)size;
    header->length = length;
    return true;
}

/// Writes a header and returns its size. `first` is the opcode with its FIN bit; `mask` is NULL for a server's frame.
static inline size_t wire_write_header(uint8_t *out, uint8_t first, uint64_t length, const uint8_t *mask) {
    uint8_t mask_bit = mask ? 0x80 : 0;
    size_t size = 2;
    out[0] = first;
    if (length < 126) {
        out[1] = mask_bit | (uint8_t)length;
    } else if (length < 1 << 16) {
        out[1] = mask_bit | 126;
        out[2] = (uint8_t)(length >> 8);
        out[3] = (uint8_t)length;
        size = 4;
    } else {
        out[1] = mask_bit | 127;
        for (int i = 0; i < 8; i++) out[2 + i] = (uint8_t)(length >> (56 - 8 * i));
        size = 10;
    }
    if (mask) {
        memcpy(out + size, mask, 4);
        size += 4;
    }
    return size;
}

/// Returns the opcode with the FIN bit.
static inline uint8_t wire_final(enum wire_opcode opcode) { return 0x80 | (uint8_t)opcode; }

typedef uint32_t wire_vector __attribute__((vector_size(32)));

/// Copies `in` to `out` and applies or removes the mask; `phase` bytes of the payload came before. `out` may be `in`.
///
/// Uses explicit vectors: the compiler vectorizes only if it knows that the two don't overlap. For little-endian
/// processors.
static inline void wire_mask(uint8_t *out, const uint8_t *in, size_t count, const uint8_t *mask, size_t phase) {
    uint32_t key;
    memcpy(&key, mask, sizeof key);
    unsigned turn = 8 * (phase & 3);
    if (turn) key = key >> turn | key << (32 - turn);
    wire_vector keys = {key, key, key, key, key, key, key, key}, data;
    size_t i = 0;
    for (; i + sizeof data <= count; i += sizeof data) {
        memcpy(&data, in + i, sizeof data);
        data ^= keys;
        memcpy(out + i, &data, sizeof data);
    }
    for (; i < count; i++) out[i] = in[i] ^ (uint8_t)(key >> (8 * (i & 3)));
}

/// Returns a non-blocking socket that listens on a free loopback port, and stores it in `port`. Exits on failure.
int wire_listen(uint16_t *port);
/// Returns a blocking socket that is connected to `port` of loopback, without Nagle's delay. Exits on failure.
int wire_connect(uint16_t port);
/// Turns off Nagle's delay: small writes are sent immediately.
void wire_set_no_delay(int fd);
/// Prints what failed and why, and exits.
_Noreturn void wire_fail(const char *what);

#endif
