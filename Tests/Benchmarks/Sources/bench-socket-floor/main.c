// bench-socket-floor PORT WORKLOAD COUNT: runs one workload and prints one line of JSON.
//
// C, one thread, no abstraction: the cost of the kernel and the protocol by themselves.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "client.h"

enum direction { ECHO, OUT, IN, IDLE, CONNECT };

static const struct workload {
    const char *name, *path;
    enum direction direction;
    size_t size;
} workloads[] = {
    {"ws-echo-64", "/echo", ECHO, 64},       {"ws-out-64", "/sink", OUT, 64},
    {"ws-in-64", "/source", IN, 64},         {"ws-out-1m", "/sink", OUT, 1 << 20},
    {"ws-in-1m", "/source", IN, 1 << 20},    {"ws-idle", "/idle", IDLE, 0},
    {"ws-connect", "/idle", CONNECT, 0},
};

static uint8_t payload[CLIENT_MAXIMUM_MESSAGE];

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// Returns the process's private memory in bytes, without pages of the program's files.
static long anonymous_bytes(void) {
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long kib = -1;
    while (file && kib < 0 && fgets(line, sizeof line, file)) {
        if (sscanf(line, "Anonymous: %ld kB", &kib) != 1) kib = -1;
    }
    if (kib < 0) wire_fail("/proc/self/smaps_rollup");
    fclose(file);
    return kib * 1024;
}

static _Noreturn void fail_lost(const char *name, uint64_t expected) {
    fprintf(stderr, "%s: messages were lost or changed, %" PRIu64 " expected\n", name, expected);
    exit(1);
}

static void echo(struct client *client, const struct workload *workload, uint64_t count) {
    struct wire_header header;
    for (uint64_t i = 0; i < count; i++) {
        client_append(client, WIRE_BINARY, payload, workload->size);
        client_flush(client);
        const uint8_t *answer = client_receive(client, &header);
        if (header.opcode != WIRE_BINARY || header.length != workload->size || memcmp(answer, payload, workload->size))
            fail_lost(workload->name, count);
    }
}

static void out(struct client *client, const struct workload *workload, uint64_t count) {
    char expected[64];
    for (uint64_t i = 0; i < count; i++) client_append(client, WIRE_BINARY, payload, workload->size);
    client_append(client, WIRE_TEXT, "END", 3);
    client_flush(client);

    struct wire_header header;
    const uint8_t *report = client_receive(client, &header);
    int size = snprintf(expected, sizeof expected, "%" PRIu64 " %" PRIu64, count, count * workload->size);
    if (header.length != (uint64_t)size || memcmp(report, expected, (size_t)size)) fail_lost(workload->name, count);
}

static void in(struct client *client, const struct workload *workload, uint64_t count) {
    char command[64];
    int size = snprintf(command, sizeof command, "%zu %" PRIu64, workload->size, count);
    client_append(client, WIRE_TEXT, command, (size_t)size);
    client_flush(client);

    struct wire_header header;
    uint64_t received = 0;
    while (client_receive(client, &header), header.opcode == WIRE_BINARY) received += header.length == workload->size;
    if (received != count || header.opcode != WIRE_TEXT) fail_lost(workload->name, count);
}

static void run(struct client *client, const struct workload *workload, uint64_t count) {
    switch (workload->direction) {
    case ECHO: echo(client, workload, count); break;
    case OUT: out(client, workload, count); break;
    case IN: in(client, workload, count); break;
    case IDLE:
    case CONNECT: break;
    }
}

static void report(const struct workload *workload, uint64_t count, double wall, double cpu) {
    printf("{\"workload\":\"%s\",\"messages\":%" PRIu64 ",\"seconds\":%.6f,\"cpuSeconds\":%.6f}\n", workload->name,
           count, wall, cpu);
}

/// Measures the memory of `count` idle connections.
static void measure_idle(const struct workload *workload, uint16_t port, uint64_t count) {
    struct client first;
    client_connect(&first, port, workload->path);
    long before = anonymous_bytes();
    struct client *clients = calloc(count, sizeof *clients);
    if (!clients) wire_fail("calloc");
    for (uint64_t i = 0; i < count; i++) client_connect(&clients[i], port, workload->path);
    printf("{\"workload\":\"%s\",\"messages\":%" PRIu64 ",\"bytes\":%ld}\n", workload->name, count,
           anonymous_bytes() - before);
}

static void connect_and_close(const struct workload *workload, uint16_t port, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        struct client client;
        client_connect(&client, port, workload->path);
        client_close(&client);
    }
}

/// Measures connections that are opened and closed one after the other.
static void measure_connects(const struct workload *workload, uint16_t port, uint64_t count) {
    connect_and_close(workload, port, count / 20 + 1);
    double start = seconds(), start_cpu = cpu_seconds();
    connect_and_close(workload, port, count);
    report(workload, count, seconds() - start, cpu_seconds() - start_cpu);
}

static void measure(const struct workload *workload, uint16_t port, uint64_t count) {
    struct client client;
    client_connect(&client, port, workload->path);
    client_open_buffers(&client);
    run(&client, workload, count / 20 + 1);
    double start = seconds(), start_cpu = cpu_seconds();
    run(&client, workload, count);
    report(workload, count, seconds() - start, cpu_seconds() - start_cpu);
}

int main(int argc, char **argv) {
    const struct workload *workload = NULL;
    for (size_t i = 0; argc == 4 && i < sizeof workloads / sizeof *workloads; i++) {
        if (!strcmp(workloads[i].name, argv[2])) workload = &workloads[i];
    }
    uint64_t count = workload ? strtoull(argv[3], NULL, 10) : 0;
    if (count == 0) {
        fprintf(stderr, "usage: bench-socket-floor PORT WORKLOAD COUNT\n");
        return 2;
    }
    uint16_t port = (uint16_t)atoi(argv[1]);
    for (size_t i = 0; i < sizeof payload; i++) payload[i] = (uint8_t)(i * 31);
    if (workload->direction == IDLE) {
        measure_idle(workload, port, count);
    } else if (workload->direction == CONNECT) {
        measure_connects(workload, port, count);
    } else {
        measure(workload, port, count);
    }
    return 0;
}
