#define _GNU_SOURCE
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { IN_CAPACITY = CLIENT_MAXIMUM_MESSAGE + CLIENT_READ_SIZE };

/// Does the opening handshake. Blocks, unlike the rest of the client, and reads the head byte by byte, so that the bytes after
/// it stay in the socket.
static void shake_hands(int fd, const char *path) {
    char text[1024];
    int size = snprintf(
        text, sizeof text,
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        path);
    if (send(fd, text, (size_t)size, MSG_NOSIGNAL) != size) wire_fail("handshake");
    size_t count = 0;
    while (count < 4 || memcmp(text + count - 4, "\r\n\r\n", 4)) {
        if (count == sizeof text || recv(fd, text + count, 1, 0) != 1) wire_fail("handshake");
        count++;
    }
    if (memcmp(text, "HTTP/1.1 101 ", 13)) wire_fail("handshake refused");
}

void client_connect(struct client *client, uint16_t port, const char *path) {
    *client = (struct client){.fd = wire_connect(port), .interest = EPOLLIN, .keys_used = sizeof client->keys};
    shake_hands(client->fd, path);
    if (fcntl(client->fd, F_SETFL, O_NONBLOCK)) wire_fail("fcntl");
}

void client_close(struct client *client) { close(client->fd); }

void client_open_buffers(struct client *client) {
    client->in = malloc(IN_CAPACITY);
    client->out = malloc(CLIENT_WRITE_SIZE + CLIENT_MAXIMUM_MESSAGE + WIRE_MAXIMUM_HEADER);
    client->poller = epoll_create1(EPOLL_CLOEXEC);
    if (!client->in || !client->out || client->poller < 0) wire_fail("buffers");
    struct epoll_event event = {.events = client->interest};
    if (epoll_ctl(client->poller, EPOLL_CTL_ADD, client->fd, &event)) wire_fail("epoll_ctl");
}

static void wait_for(struct client *client, uint32_t interest) {
    struct epoll_event event = {.events = interest};
    if (interest != client->interest) {
        if (epoll_ctl(client->poller, EPOLL_CTL_MOD, client->fd, &event)) wire_fail("epoll_ctl");
        client->interest = interest;
    }
    while (epoll_wait(client->poller, &event, 1, -1) < 1) {
        if (errno != EINTR) wire_fail("epoll_wait");
    }
}

static const uint8_t *next_key(struct client *client) {
    if (client->keys_used == sizeof client->keys) {
        if (getrandom(client->keys, sizeof client->keys, 0) != sizeof client->keys) wire_fail("getrandom");
        client->keys_used = 0;
    }
    client->keys_used += 4;
    return client->keys + client->keys_used - 4;
}

void client_append(struct client *client, enum wire_opcode opcode, const void *payload, size_t count) {
    if (client->out_end > CLIENT_WRITE_SIZE - WIRE_MAXIMUM_HEADER) client_flush(client);
    const uint8_t *key = next_key(client);
    client->out_end += wire_write_header(client->out + client->out_end, wire_final(opcode), count, key);
    wire_mask(client->out + client->out_end, payload, count, key, 0);
    client->out_end += count;
}

void client_flush(struct client *client) {
    size_t start = 0;
    while (start < client->out_end) {
        ssize_t written = send(client->fd, client->out + start, client->out_end - start, MSG_NOSIGNAL);
        if (written >= 0) {
            start += (size_t)written;
        } else if (errno == EAGAIN) {
            wait_for(client, EPOLLOUT);
        } else {
            wire_fail("send");
        }
    }
    client->out_end = 0;
}

/// Reads once, at most `limit` bytes.
static void read_more(struct client *client, size_t limit) {
    size_t waiting = client->in_end - client->in_start;
    if (waiting == 0 || IN_CAPACITY - client->in_end < limit) {
        memmove(client->in, client->in + client->in_start, waiting);
        client->in_start = 0;
        client->in_end = waiting;
    }
    for (;;) {
        wait_for(client, EPOLLIN);
        ssize_t received = recv(client->fd, client->in + client->in_end, limit, 0);
        if (received > 0) {
            client->in_end += (size_t)received;
            return;
        }
        if (received == 0 || errno != EAGAIN) wire_fail("recv");
    }
}

const uint8_t *client_receive(struct client *client, struct wire_header *header) {
    size_t waiting;
    while (waiting = client->in_end - client->in_start,
           !wire_read_header(client->in + client->in_start, waiting, header))
        read_more(client, CLIENT_READ_SIZE);
    if (header->length > CLIENT_MAXIMUM_MESSAGE || header->is_masked || !header->is_final) wire_fail("frame");

    size_t size = header->size + (size_t)header->length;
    while (waiting = client->in_end - client->in_start, waiting < size) {
        // Reads a large message only up to its end, so that it never has to be moved.
        size_t missing = size - waiting;
        read_more(client, size > CLIENT_READ_SIZE ? missing : CLIENT_READ_SIZE);
    }
    const uint8_t *payload = client->in + client->in_start + header->size;
    client->in_start += size;
    return payload;
}
