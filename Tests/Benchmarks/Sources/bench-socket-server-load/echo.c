#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "server.h"
#include "workloads.h"

enum {
    /// Opened before memory is first read, so that allocations made only once aren't counted.
    FIRST_CONNECTIONS = 64,
};

void run_echo(const struct options *options) {
    struct crowd crowd = crowd_create(options->connections);
    crowd_open(&crowd, options, options->connections, 0);
    crowd_exchange(&crowd, 0, options, options->warm_up);
    double start = now(), start_cpu = cpu_seconds(options->pid), start_own = cpu_seconds(getpid());
    uint64_t messages = crowd_exchange_for(&crowd, options, options->seconds);
    double seconds = now() - start, cpu = cpu_seconds(options->pid) - start_cpu;
    printf("{\"messages\":%" PRIu64 ",\"seconds\":%f,\"cpuSeconds\":%f,\"loadSeconds\":%f}\n", messages, seconds, cpu,
           cpu_seconds(getpid()) - start_own);
}

void run_idle(const struct options *options) {
    struct crowd crowd = crowd_create(options->connections + FIRST_CONNECTIONS);
    crowd_open(&crowd, options, FIRST_CONNECTIONS, 0);
    crowd_exchange(&crowd, 0, options, options->warm_up);
    long before = resident_bytes(options->pid);
    crowd_open(&crowd, options, options->connections, 0);
    crowd_exchange(&crowd, FIRST_CONNECTIONS, options, options->warm_up);
    // By then, each connection has freed the memory of its handshake.
    sleep(1);
    printf("{\"messages\":%zu,\"bytes\":%ld}\n", options->connections, resident_bytes(options->pid) - before);
}
