#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "server.h"
#include "workloads.h"

enum {
    WARM_UP = 20,
    /// The seconds after which a push counts as lost.
    PATIENCE = 10,
};

/// CPU seconds so far.
struct usage {
    double servers, broker, own;
};

static struct usage usage_read(const struct options *options) {
    struct usage usage = {.servers = cpu_seconds(options->pid), .own = cpu_seconds(getpid())};
    if (options->other_pid) usage.servers += cpu_seconds((pid_t)options->other_pid);
    if (options->broker_pid) usage.broker = cpu_seconds((pid_t)options->broker_pid);
    return usage;
}

/// A number of pushes, and the time that each took to each connection.
struct delivery {
    struct crowd *crowd;
    const struct options *options;
    struct message trigger;
    uint64_t count, asked;
    bool is_due;
    /// The time at which each push was requested.
    double *starts;
    /// The number of messages that each connection had received before.
    uint64_t *before;
    double *latencies;
    uint64_t delivered;
};

static int start_timer(struct crowd *crowd, uint64_t rate) {
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct timespec interval = {.tv_sec = rate == 1, .tv_nsec = rate == 1 ? 0 : (long)(1000000000 / rate)};
    struct itimerspec times = {.it_interval = interval, .it_value = interval};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (timer < 0 || timerfd_settime(timer, 0, &times, NULL)) wire_fail("timerfd");
    if (epoll_ctl(crowd->poller, EPOLL_CTL_ADD, timer, &event)) wire_fail("epoll_ctl");
    return timer;
}

/// True if the timer has fired; missed ticks count once.
static bool has_ticked(int timer) {
    uint64_t ticks;
    if (read(timer, &ticks, sizeof ticks) == sizeof ticks) return true;
    if (errno != EAGAIN) wire_fail("timerfd");
    return false;
}

/// Requests a push if one is due and all connections have received the last: two for one connection would share a write.
static void ask(struct delivery *delivery) {
    if (!delivery->is_due) return;
    if (delivery->delivered < delivery->asked * delivery->crowd->count) {
        if (now() - delivery->starts[delivery->asked - 1] < PATIENCE) return;
        fprintf(stderr, "a push didn't reach all connections\n");
        exit(1);
    }
    if (delivery->asked == delivery->count) return;
    delivery->is_due = false;
    delivery->starts[delivery->asked++] = now();
    size_t step = delivery->crowd->count / delivery->options->publishers;
    for (size_t i = 0; i < delivery->options->publishers; i++) {
        peer_send(&delivery->crowd->peers[i * step], &delivery->trigger);
    }
}

/// Reads the messages of a connection, which arrive in the order of the pushes.
static void take(struct delivery *delivery, struct peer *peer) {
    uint64_t first = peer->messages - delivery->before[peer - delivery->crowd->peers];
    uint64_t found = peer_read(peer, 0);
    double time = now();
    for (uint64_t i = first; i < first + found; i++) {
        if (i >= delivery->asked) {
            fprintf(stderr, "an unexpected message arrived\n");
            exit(1);
        }
        delivery->latencies[delivery->delivered++] = time - delivery->starts[i];
    }
}

/// Delivers `count` pushes; returns when all connections have received all of them.
static struct delivery deliver(struct crowd *crowd, const struct options *options, uint64_t count) {
    struct delivery delivery = {.crowd = crowd, .options = options, .count = count};
    delivery.trigger = message_create(WIRE_TEXT, options->trigger);
    delivery.starts = calloc(count, sizeof *delivery.starts);
    delivery.before = calloc(crowd->count, sizeof *delivery.before);
    delivery.latencies = calloc(count * crowd->count, sizeof *delivery.latencies);
    if (!delivery.starts || !delivery.before || !delivery.latencies) wire_fail("calloc");
    for (size_t i = 0; i < crowd->count; i++) delivery.before[i] = crowd->peers[i].messages;
    int timer = start_timer(crowd, options->rate);
    struct peer *ready[256];
    while (delivery.delivered < count * crowd->count) {
        size_t found = crowd_wait(crowd, ready);
        for (size_t i = 0; i < found; i++) {
            if (ready[i]) {
                take(&delivery, ready[i]);
            } else if (has_ticked(timer)) {
                delivery.is_due = true;
            }
        }
        ask(&delivery);
    }
    close(timer);
    return delivery;
}

static int compare(const void *first, const void *second) {
    double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

void run_fan_out(const struct options *options) {
    struct crowd crowd = crowd_create(options->connections);
    size_t others = options->other_port ? options->connections / 2 : 0;
    crowd_open(&crowd, options, options->connections - others, 0);
    struct options other = *options;
    other.port = (uint16_t)options->other_port;
    crowd_open(&crowd, &other, others, 0);
    deliver(&crowd, options, WARM_UP);
    double start = now();
    struct usage before = usage_read(options);
    uint64_t count = (uint64_t)(options->seconds * (double)options->rate);
    struct delivery delivery = deliver(&crowd, options, count ? count : 1);
    double seconds = now() - start;
    struct usage after = usage_read(options);
    qsort(delivery.latencies, delivery.delivered, sizeof *delivery.latencies, compare);
    printf("{\"messages\":%" PRIu64 ",\"publishes\":%" PRIu64 ",\"seconds\":%f,\"cpuSeconds\":%f,\"brokerSeconds\":%f,"
           "\"loadSeconds\":%f,\"p50\":%f,\"p99\":%f}\n",
           delivery.delivered, delivery.count, seconds, after.servers - before.servers, after.broker - before.broker,
           after.own - before.own, delivery.latencies[delivery.delivered / 2],
           delivery.latencies[delivery.delivered * 99 / 100]);
}
