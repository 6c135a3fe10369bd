// bench-socket-server: a WebSocket server that isn't a bottleneck. One thread, one epoll, no unnecessary copies.
//
// Prints the port that it listens on. Ends at the end of its standard input, or on SIGTERM.
//
//   /echo     sends every frame back
//   /sink     counts messages; replies to a text with "MESSAGES BYTES" since the last one
//   /source   replies to a text "SIZE COUNT" with COUNT binary messages of SIZE bytes, then the text "END"
//   /idle     does nothing
//   /room     sends every text back; for "B SIZE COUNT", sends COUNT texts of SIZE bytes to every connection here
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"

/// Room in front of the read bytes for the start of an incomplete header, so that frames are never read from two buffers.
enum { LEAD = WIRE_MAXIMUM_HEADER };
static uint8_t read_block[LEAD + READ_SIZE];

static int poller;
/// Marks the events of the listener and of standard input, which aren't clients.
static char listener_mark, input_mark;

struct connection *connection_create(int fd) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->fd = fd;
    connection->interest = EPOLLIN;
    return connection;
}

void connection_free(struct connection *connection) {
    room_leave(connection);
    close(connection->fd);
    free(connection->out.bytes);
    free(connection->source.block);
    free(connection->head);
    free(connection);
}

/// Returns the next bytes for the socket: the rest of a block that was begun, then waiting frames, then more of the source.
static const uint8_t *next_bytes(struct connection *connection, size_t *count, bool *is_source) {
    struct source *source = &connection->source;
    *is_source = true;
    const uint8_t *bytes = source_pending(source, true, count);
    if (bytes) return bytes;
    if (buffer_count(&connection->out) == 0) {
        bytes = source_pending(source, false, count);
        if (bytes) return bytes;
        if (!source->is_active) return NULL;
        source->is_active = false;
        frames_send(connection, WIRE_TEXT, "END", 3);
    }
    *is_source = false;
    *count = buffer_count(&connection->out);
    return connection->out.bytes + connection->out.start;
}

/// Writes until nothing waits or the socket is full; returns false if the client is gone, or its connection is to be closed.
static bool write_out(struct connection *connection, bool *is_full) {
    const uint8_t *bytes;
    size_t count;
    bool is_source;
    *is_full = false;
    while ((bytes = next_bytes(connection, &count, &is_source))) {
        ssize_t written = send(connection->fd, bytes, count, MSG_NOSIGNAL);
        if (written < 0) {
            *is_full = errno == EAGAIN;
            return *is_full;
        }
        if (is_source) {
            source_consume(&connection->source, (size_t)written);
        } else {
            buffer_consume(&connection->out, (size_t)written);
        }
    }
    return !connection->is_closing;
}

/// Reads once, so a large message takes several turns; returns false if the client is gone or violated the protocol.
static bool read_in(struct connection *connection) {
    ssize_t received = recv(connection->fd, read_block + LEAD, READ_SIZE, 0);
    if (received < 0) return errno == EAGAIN;
    if (received == 0) return false;
    uint8_t *bytes = read_block + LEAD;
    size_t count = (size_t)received;
    if (!connection->is_open) {
        size_t consumed;
        if (!handshake_receive(connection, bytes, count, &consumed)) return false;
        bytes += consumed;
        count -= consumed;
        if (!connection->is_open) return true;
    } else if (connection->head_count) {
        bytes -= connection->head_count;
        count += connection->head_count;
        memcpy(bytes, connection->head, connection->head_count);
        connection->head_count = 0;
    }
    return frames_receive(connection, bytes, count);
}

bool connection_write(struct connection *connection) {
    bool is_full;
    if (!write_out(connection, &is_full)) return false;
    uint32_t interest = is_full ? EPOLLOUT : 0;
    if (buffer_count(&connection->out) < MAXIMUM_WAITING) interest |= EPOLLIN;
    if (interest == connection->interest) return true;
    connection->interest = interest;
    struct epoll_event event = {.events = interest, .data.ptr = connection};
    if (epoll_ctl(poller, EPOLL_CTL_MOD, connection->fd, &event)) wire_fail("epoll_ctl");
    return true;
}

static void serve(struct connection *connection, uint32_t events) {
    bool is_alive = !(events & (EPOLLIN | EPOLLHUP | EPOLLERR)) || read_in(connection);
    if (!is_alive || !connection_write(connection)) connection_free(connection);
}

static void watch(int fd, void *mark) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = mark};
    // Standard input has no events if it is a file (EPERM): then, only SIGTERM ends the server.
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) && errno != EPERM) wire_fail("epoll_ctl");
}

static void accept_all(int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct connection *connection = connection_create(fd);
        if (!connection) wire_fail("calloc");
        wire_set_no_delay(fd);
        watch(fd, connection);
    }
    if (errno != EAGAIN && errno != ECONNABORTED) wire_fail("accept");
}

static bool input_has_ended(void) {
    char ignored[256];
    return read(STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

static void stop(int signal) {
    (void)signal;
    _exit(0);
}

int main(void) {
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGTERM, &action, NULL);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (poller < 0) wire_fail("epoll_create1");
    uint16_t port;
    int listener = wire_listen(&port);
    watch(listener, &listener_mark);
    watch(STDIN_FILENO, &input_mark);
    printf("%d\n", port);
    fflush(stdout);

    struct epoll_event events[64];
    for (;;) {
        int count = epoll_wait(poller, events, 64, -1);
        if (count < 0 && errno != EINTR) wire_fail("epoll_wait");
        for (int i = 0; i < count; i++) {
            void *mark = events[i].data.ptr;
            if (mark == &listener_mark) {
                accept_all(listener);
            } else if (mark == &input_mark) {
                if (input_has_ended()) return 0;
            } else {
                serve(mark, events[i].events);
            }
        }
    }
}
