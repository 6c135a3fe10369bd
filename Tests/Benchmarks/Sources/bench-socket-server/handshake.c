// The opening handshake (RFC 6455 section 4.2): the part of it that benchmarks need.
#define _GNU_SOURCE
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connection.h"

static const struct {
    const char *name;
    enum path path;
} paths[] = {{"/echo", PATH_ECHO}, {"/sink", PATH_SINK}, {"/source", PATH_SOURCE}, {"/idle", PATH_IDLE},
             {"/room", PATH_ROOM}};

static bool find_path(const char *head, enum path *path) {
    if (strncmp(head, "GET ", 4)) return false;
    size_t length = strcspn(head + 4, " ?\r");
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (strlen(paths[i].name) == length && !memcmp(head + 4, paths[i].name, length)) {
            *path = paths[i].path;
            return true;
        }
    }
    return false;
}

/// Computes Sec-WebSocket-Accept for the key in `head`. Returns false if there is no key of 24 characters.
static bool find_accept(const char *head, char accept[32]) {
    static const char field[] = "\r\nsec-websocket-key:";
    static const char suffix[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    const char *key = strcasestr(head, field);
    if (!key) return false;
    key += sizeof field - 1;
    key += strspn(key, " \t");
    if (strcspn(key, " \t\r") != 24) return false;

    unsigned char text[24 + sizeof suffix], digest[SHA_DIGEST_LENGTH];
    memcpy(text, key, 24);
    memcpy(text + 24, suffix, sizeof suffix);
    SHA1(text, sizeof text - 1, digest);
    EVP_EncodeBlock((unsigned char *)accept, digest, sizeof digest);
    return true;
}

static bool answer(struct connection *connection, const char *head) {
    char accept[32], response[256];
    if (!find_path(head, &connection->path) || !find_accept(head, accept)) {
        fprintf(stderr, "not a handshake: %.*s\n", (int)strcspn(head, "\r"), head);
        return false;
    }
    int count = snprintf(
        response, sizeof response,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n",
        accept);
    buffer_append(&connection->out, response, (size_t)count);
    if (connection->path == PATH_ROOM) room_enter(connection);
    return true;
}

bool handshake_receive(struct connection *connection, const uint8_t *bytes, size_t count, size_t *consumed) {
    size_t before = connection->head_count;
    size_t taken = count < MAXIMUM_HEAD - before ? count : MAXIMUM_HEAD - before;
    if (!connection->head && !(connection->head = malloc(MAXIMUM_HEAD + 1))) return false;
    memcpy(connection->head + before, bytes, taken);
    connection->head_count += taken;
    connection->head[connection->head_count] = 0;

    const uint8_t *end = memmem(connection->head, connection->head_count, "\r\n\r\n", 4);
    *consumed = taken;
    if (!end) return connection->head_count < MAXIMUM_HEAD;
    *consumed = (size_t)(end + 4 - connection->head) - before;
    connection->is_open = true;
    bool is_accepted = answer(connection, (const char *)connection->head);
    connection->head_count = 0;
    return is_accepted;
}
