#include <inttypes.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "server.h"
#include "workloads.h"

enum {
    WARM_UP = 20,
    /// The minimum number of bytes that a connection without a reader misses: more than the kernel and a bounded queue hold.
    MINIMUM_UNREAD = 12 << 20,
};

struct figures {
    uint64_t rounds;
    double seconds, cpu, load;
};

/// Runs rounds of broadcasts for `seconds`, at least `minimum` rounds. The first `readers` connections receive all of them.
static struct figures broadcast(struct crowd *crowd, const struct options *options, size_t readers, double seconds,
                                uint64_t minimum) {
    struct message trigger = message_create(WIRE_TEXT, options->trigger);
    struct peer *ready[256];
    struct figures figures = {0};
    double start = now(), start_cpu = cpu_seconds(options->pid), start_own = cpu_seconds(getpid());
    do {
        uint64_t waiting = (uint64_t)readers * options->batch;
        peer_send(&crowd->peers[0], &trigger);
        while (waiting) {
            size_t found = crowd_wait(crowd, ready);
            for (size_t i = 0; i < found; i++) waiting -= peer_read(ready[i], options->size);
        }
        figures.rounds++;
        figures.seconds = now() - start;
    } while (figures.seconds < seconds || figures.rounds < minimum);
    figures.cpu = cpu_seconds(options->pid) - start_cpu;
    figures.load = cpu_seconds(getpid()) - start_own;
    return figures;
}

void run_broadcast(const struct options *options) {
    struct crowd crowd = crowd_create(options->connections);
    crowd_open(&crowd, options, options->connections, 0);
    crowd_exchange(&crowd, 0, options, options->warm_up);
    broadcast(&crowd, options, options->connections, 0, WARM_UP);
    struct figures figures = broadcast(&crowd, options, options->connections, options->seconds, 1);
    printf("{\"messages\":%" PRIu64 ",\"seconds\":%f,\"cpuSeconds\":%f,\"loadSeconds\":%f}\n",
           figures.rounds * options->batch * options->connections, figures.seconds, figures.cpu, figures.load);
}

void run_asleep(const struct options *options) {
    struct crowd crowd = crowd_create(options->connections);
    size_t readers = options->connections - options->asleep;
    crowd_open(&crowd, options, options->connections, options->asleep);
    crowd_exchange(&crowd, 0, options, options->warm_up);
    broadcast(&crowd, options, options->connections, 0, WARM_UP);
    struct figures awake = broadcast(&crowd, options, options->connections, options->seconds, 1);
    long before = resident_bytes(options->pid);
    for (size_t i = readers; i < crowd.count; i++) {
        if (epoll_ctl(crowd.poller, EPOLL_CTL_DEL, crowd.peers[i].fd, NULL)) wire_fail("epoll_ctl");
    }
    size_t round = options->batch * options->size;
    struct figures asleep = broadcast(&crowd, options, readers, options->seconds, MINIMUM_UNREAD / round);
    printf("{\"messages\":%" PRIu64 ",\"seconds\":%f,\"cpuSeconds\":%f,\"ratio\":%f,\"unread\":%" PRIu64
           ",\"bytes\":%ld}\n",
           asleep.rounds * options->batch * readers, asleep.seconds, asleep.cpu,
           ((double)asleep.rounds / asleep.seconds) / ((double)awake.rounds / awake.seconds), asleep.rounds * round,
           resident_bytes(options->pid) - before);
}
