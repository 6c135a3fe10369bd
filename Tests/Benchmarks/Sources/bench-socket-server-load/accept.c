#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server.h"
#include "workloads.h"

enum { AT_A_TIME = 64 };

/// A connection that opens and closes, after which the next one takes its place.
struct visit {
    int fd;
    bool is_open;
    char head[1024];
    size_t count;
};

struct visitors {
    const struct options *options;
    struct visit visits[AT_A_TIME];
    int poller;
    char request[1024];
    size_t request_count;
    struct message close;
    uint64_t number;
};

/// Connects and sends the request: on loopback, the connection is established when `connect` returns.
static void begin(struct visitors *visitors, struct visit *visit) {
    visit->fd = peer_dial(visitors->options, visitors->number++, false);
    visit->is_open = false;
    visit->count = 0;
    if (fcntl(visit->fd, F_SETFL, O_NONBLOCK)) wire_fail("fcntl");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = visit};
    if (epoll_ctl(visitors->poller, EPOLL_CTL_ADD, visit->fd, &event)) wire_fail("epoll_ctl");
    if (send(visit->fd, visitors->request, visitors->request_count, MSG_NOSIGNAL) < 0) wire_fail("send");
}

/// Handles an event of a visit; returns true if the visit has ended.
static bool go_on(struct visitors *visitors, struct visit *visit) {
    ssize_t count = recv(visit->fd, visit->head + visit->count, sizeof visit->head - 1 - visit->count, 0);
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) {
        if (!visit->is_open) wire_fail("opening handshake");
        close(visit->fd);
        return true;
    }
    if (visit->is_open) return false;
    visit->count += (size_t)count;
    visit->head[visit->count] = 0;
    if (!strstr(visit->head, "\r\n\r\n")) return false;
    if (strncmp(visit->head, "HTTP/1.1 101", 12)) {
        fprintf(stderr, "no upgrade: %s\n", visit->head);
        exit(1);
    }
    visit->is_open = true;
    visit->count = 0;
    if (send(visit->fd, visitors->close.bytes, visitors->close.count, MSG_NOSIGNAL) < 0) wire_fail("send");
    return false;
}

static uint64_t run(struct visitors *visitors, double seconds) {
    struct epoll_event events[AT_A_TIME];
    uint64_t ended = 0;
    double end = now() + seconds;
    do {
        int count = epoll_wait(visitors->poller, events, AT_A_TIME, 10000);
        if (count <= 0) wire_fail("accept");
        for (int i = 0; i < count; i++) {
            if (!go_on(visitors, events[i].data.ptr)) continue;
            ended++;
            begin(visitors, events[i].data.ptr);
        }
    } while (now() < end);
    return ended;
}

void run_accept(const struct options *options) {
    // Status 1000: a normal closure.
    struct visitors visitors = {
        .options = options, .poller = epoll_create1(EPOLL_CLOEXEC), .close = message_create(WIRE_CLOSE, "\x03\xe8")};
    visitors.request_count = peer_request(options, visitors.request, sizeof visitors.request);
    for (size_t i = 0; i < AT_A_TIME; i++) begin(&visitors, &visitors.visits[i]);
    run(&visitors, options->seconds / 4);
    double start = now(), start_cpu = cpu_seconds(options->pid), start_own = cpu_seconds(getpid());
    uint64_t connections = run(&visitors, options->seconds);
    double elapsed = now() - start, cpu = cpu_seconds(options->pid) - start_cpu;
    printf("{\"messages\":%" PRIu64 ",\"seconds\":%f,\"cpuSeconds\":%f,\"loadSeconds\":%f}\n", connections, elapsed,
           cpu, cpu_seconds(getpid()) - start_own);
}
