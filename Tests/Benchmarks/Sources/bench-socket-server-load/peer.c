#define _GNU_SOURCE
#include "peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /// The number of bytes of a reply that are searched.
    HEAD = 1024,
};

static uint8_t block[64 << 10];
static const uint8_t mask[4] = {0x12, 0x34, 0x56, 0x78};

struct message message_create(enum wire_opcode opcode, const char *text) {
    size_t count = strlen(text);
    struct message message = {.bytes = malloc(count + WIRE_MAXIMUM_HEADER)};
    if (!message.bytes) wire_fail("malloc");
    message.count = wire_write_header(message.bytes, wire_final(opcode), count, mask);
    wire_mask(message.bytes + message.count, (const uint8_t *)text, count, mask, 0);
    message.count += count;
    return message;
}

int peer_dial(const struct options *options, size_t number, bool is_small) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1, small = 4096, segment = 1400;
    if (fd < 0) wire_fail("socket");
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000101 + (uint32_t)(number % 250))};
    struct sockaddr_in there = {
        .sin_family = AF_INET, .sin_port = htons(options->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (is_small) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        // The server's kernel holds ten or more segments, which would have 64 KiB each on loopback.
        setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
    }
    if (bind(fd, (struct sockaddr *)&here, sizeof here)) wire_fail("bind");
    if (connect(fd, (struct sockaddr *)&there, sizeof there)) wire_fail("connect");
    wire_set_no_delay(fd);
    return fd;
}

size_t peer_request(const struct options *options, char *out, size_t room) {
    int count = snprintf(out, room,
                         "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s%s%s\r\n",
                         options->path, options->port, options->protocol ? "Sec-WebSocket-Protocol: " : "",
                         options->protocol ? options->protocol : "", options->protocol ? "\r\n" : "");
    if (count < 0 || (size_t)count >= room) wire_fail("path");
    return (size_t)count;
}

static void send_all(int fd, const void *bytes, size_t count) {
    if (send(fd, bytes, count, MSG_NOSIGNAL) != (ssize_t)count) wire_fail("send");
}

/// Reads the head byte by byte, so that no frame is read with it.
static void read_head(int fd) {
    char head[4096];
    size_t count = 0;
    while (count < 4 || memcmp(head + count - 4, "\r\n\r\n", 4)) {
        if (count == sizeof head || recv(fd, head + count, 1, 0) != 1) wire_fail("opening handshake");
        count++;
    }
    if (strncmp(head, "HTTP/1.1 101", 12)) {
        fprintf(stderr, "no upgrade: %.*s\n", (int)count, head);
        exit(1);
    }
}

/// Sends a message and reads its reply, on a blocking socket; the first bytes of the reply must contain `expected`.
static void exchange(struct peer *peer, const char *text, const char *expected) {
    struct message message = message_create(WIRE_TEXT, text);
    send_all(peer->fd, message.bytes, message.count);
    free(message.bytes);
    uint64_t before = peer->messages;
    while (peer->messages == before) peer_read(peer, 0);
    if (expected && !memmem(block, HEAD, expected, strlen(expected))) {
        fprintf(stderr, "the reply to %s isn't %s: %.200s\n", text, expected, block + 2);
        exit(1);
    }
}

struct peer peer_open(const struct options *options, size_t number, bool is_small) {
    struct peer peer = {.fd = peer_dial(options, number, is_small)};
    char request[1024];
    send_all(peer.fd, request, peer_request(options, request, sizeof request));
    read_head(peer.fd);
    memset(block, 0, HEAD);
    if (options->hello) exchange(&peer, options->hello, NULL);
    memset(block, 0, HEAD);
    exchange(&peer, options->message, options->expected);
    if (fcntl(peer.fd, F_SETFL, O_NONBLOCK)) wire_fail("fcntl");
    return peer;
}

void peer_send(struct peer *peer, const struct message *message) {
    send_all(peer->fd, message->bytes, message->count);
}

static void end_control(struct peer *peer) {
    uint8_t pong[WIRE_MAXIMUM_HEADER + WIRE_MAXIMUM_CONTROL];
    if (peer->frame.opcode == WIRE_CLOSE) {
        unsigned code = peer->control_count < 2 ? 0 : (unsigned)(peer->control[0] << 8 | peer->control[1]);
        fprintf(stderr, "the server closed a connection with %u %.*s\n", code,
                peer->control_count < 2 ? 0 : peer->control_count - 2, (const char *)peer->control + 2);
        exit(1);
    }
    if (peer->frame.opcode != WIRE_PING) return;
    size_t size = wire_write_header(pong, wire_final(WIRE_PONG), peer->control_count, mask);
    wire_mask(pong + size, peer->control, peer->control_count, mask, 0);
    send_all(peer->fd, pong, size + peer->control_count);
}

/// Reads frames from `bytes`; returns the number of messages that they complete.
static uint64_t receive(struct peer *peer, const uint8_t *bytes, size_t count, size_t size) {
    uint64_t messages = 0;
    for (;;) {
        bool is_control = peer->frame.opcode >= WIRE_CLOSE;
        if (!peer->is_in_payload) {
            if (!wire_read_header(bytes, count, &peer->frame)) break;
            is_control = peer->frame.opcode >= WIRE_CLOSE;
            if (size && !is_control && peer->frame.length != size) {
                fprintf(stderr, "a message of %" PRIu64 " bytes arrived instead of %zu\n", peer->frame.length, size);
                exit(1);
            }
            bytes += peer->frame.size;
            count -= peer->frame.size;
            peer->is_in_payload = true;
            peer->remaining = peer->frame.length;
            peer->control_count = 0;
        }
        size_t piece = peer->remaining < count ? (size_t)peer->remaining : count;
        if (is_control) {
            if (peer->frame.length > WIRE_MAXIMUM_CONTROL) wire_fail("control frame");
            memcpy(peer->control + peer->control_count, bytes, piece);
            peer->control_count += (uint8_t)piece;
        }
        bytes += piece;
        count -= piece;
        peer->remaining -= piece;
        if (peer->remaining) return messages;
        peer->is_in_payload = false;
        if (is_control) {
            end_control(peer);
        } else {
            messages += peer->frame.is_final;
        }
    }
    memcpy(peer->head, bytes, count);
    peer->head_count = (uint8_t)count;
    return messages;
}

uint64_t peer_read(struct peer *peer, size_t size) {
    memcpy(block, peer->head, peer->head_count);
    ssize_t count = recv(peer->fd, block + peer->head_count, sizeof block - peer->head_count, 0);
    if (count < 0 && errno == EAGAIN) return 0;
    if (count <= 0) wire_fail("the server ended a connection");
    count += peer->head_count;
    peer->head_count = 0;
    uint64_t messages = receive(peer, block, (size_t)count, size);
    peer->messages += messages;
    return messages;
}
