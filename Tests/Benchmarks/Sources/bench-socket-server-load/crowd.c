#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "server.h"
#include "workloads.h"

struct crowd crowd_create(size_t capacity) {
    struct crowd crowd = {
        .peers = calloc(capacity, sizeof *crowd.peers), .capacity = capacity, .poller = epoll_create1(EPOLL_CLOEXEC)};
    if (!crowd.peers || crowd.poller < 0) wire_fail("epoll_create1");
    return crowd;
}

void crowd_open(struct crowd *crowd, const struct options *options, size_t count, size_t small) {
    if (crowd->count + count > crowd->capacity) wire_fail("capacity");
    for (size_t i = 0; i < count; i++) {
        struct peer *peer = &crowd->peers[crowd->count++];
        *peer = peer_open(options, crowd->count, i + small >= count);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
        if (epoll_ctl(crowd->poller, EPOLL_CTL_ADD, peer->fd, &event)) wire_fail("epoll_ctl");
    }
}

size_t crowd_wait(struct crowd *crowd, struct peer *ready[256]) {
    struct epoll_event events[256];
    int count = epoll_wait(crowd->poller, events, 256, 10000);
    if (count == 0) {
        fprintf(stderr, "nothing arrived for ten seconds\n");
        exit(1);
    }
    if (count < 0 && errno != EINTR) wire_fail("epoll_wait");
    for (int i = 0; i < count; i++) ready[i] = events[i].data.ptr;
    return count < 0 ? 0 : (size_t)count;
}

void crowd_exchange(struct crowd *crowd, size_t first, const struct options *options, uint64_t count) {
    struct message message = message_create(WIRE_TEXT, options->message);
    struct peer *ready[256];
    size_t waiting = crowd->count - first;
    uint64_t *goals = calloc(crowd->count, sizeof *goals);
    if (!goals) wire_fail("calloc");
    if (!count) waiting = 0;
    for (size_t i = first; waiting && i < crowd->count; i++) {
        goals[i] = crowd->peers[i].messages + count;
        peer_send(&crowd->peers[i], &message);
    }
    while (waiting) {
        size_t found = crowd_wait(crowd, ready);
        for (size_t i = 0; i < found; i++) {
            if (!peer_read(ready[i], 0)) continue;
            if (ready[i]->messages < goals[ready[i] - crowd->peers]) {
                peer_send(ready[i], &message);
            } else {
                waiting--;
            }
        }
    }
    free(goals);
    free(message.bytes);
}

uint64_t crowd_exchange_for(struct crowd *crowd, const struct options *options, double seconds) {
    struct message message = message_create(WIRE_TEXT, options->message);
    struct peer *ready[256];
    uint64_t messages = 0;
    double end = now() + seconds;
    for (size_t i = 0; i < crowd->count; i++) peer_send(&crowd->peers[i], &message);
    do {
        size_t found = crowd_wait(crowd, ready);
        for (size_t i = 0; i < found; i++) {
            uint64_t count = peer_read(ready[i], 0);
            if (count) peer_send(ready[i], &message);
            messages += count;
        }
    } while (now() < end);
    free(message.bytes);
    return messages;
}
