/// The workloads. Each uses separate connections and prints one line of JSON.
#ifndef WORKLOADS_H
#define WORKLOADS_H

#include "peer.h"

/// Connections that were opened one after the other.
struct crowd {
    struct peer *peers;
    size_t count, capacity;
    /// An epoll descriptor that watches all of them.
    int poller;
};

struct crowd crowd_create(size_t capacity);
/// Opens `count` more connections; the last `small` of them have small buffers.
void crowd_open(struct crowd *crowd, const struct options *options, size_t count, size_t small);
/// Exchanges `count` messages on each connection from `first` on, one in flight on each.
void crowd_exchange(struct crowd *crowd, size_t first, const struct options *options, uint64_t count);
/// Exchanges messages on all connections for `seconds`; returns the number of replies.
uint64_t crowd_exchange_for(struct crowd *crowd, const struct options *options, double seconds);
/// Waits for connections with something to read; returns their number, at most 256. Exits after ten seconds without one.
size_t crowd_wait(struct crowd *crowd, struct peer *ready[256]);

/// Messages back and forth, one in flight on each connection.
void run_echo(const struct options *options);
/// Connections that are opened and closed, 64 at a time.
void run_accept(const struct options *options);
/// The memory of open, idle connections.
void run_idle(const struct options *options);
/// Messages to all connections; the next ones are requested when all connections have received the last.
void run_broadcast(const struct options *options);
/// Broadcasts, first to connections that all read, then with some that don't.
void run_asleep(const struct options *options);
/// Pushes at a maximum rate, one at a time, to connections that are spread over two servers.
void run_fan_out(const struct options *options);

#endif
