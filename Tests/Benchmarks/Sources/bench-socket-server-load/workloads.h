/// What is measured, each on connections of its own; each prints one line of JSON.
#ifndef WORKLOADS_H
#define WORKLOADS_H

#include "peer.h"

/// Connections that were opened one after the other.
struct crowd {
    struct peer *peers;
    size_t count, capacity;
    /// An epoll with all of them.
    int poller;
};

struct crowd crowd_create(size_t capacity);
/// Opens so many more; the last `small` of them have small buffers.
void crowd_open(struct crowd *crowd, const struct options *options, size_t count, size_t small);
/// Has the connections from `first` on exchange so many messages each, one in flight on each.
void crowd_exchange(struct crowd *crowd, size_t first, const struct options *options, uint64_t count);
/// The same without an end, for so many seconds; how many messages came back.
uint64_t crowd_exchange_for(struct crowd *crowd, const struct options *options, double seconds);
/// Up to 256 connections that have something to read, or the end of the program after ten seconds without one.
size_t crowd_wait(struct crowd *crowd, struct peer *ready[256]);

/// Messages back and forth, one in flight on each connection.
void run_echo(const struct options *options);
/// Connections that are opened and closed, 64 at a time.
void run_accept(const struct options *options);
/// Memory of connections that are open and quiet.
void run_idle(const struct options *options);
/// Messages to all connections; the next ones are asked for when all have the last.
void run_broadcast(const struct options *options);
/// Broadcasts, first to connections that all read, then with some that don't.
void run_asleep(const struct options *options);
/// Pushes at a rate at most, one at a time, to connections that two servers share.
void run_fan_out(const struct options *options);

#endif
