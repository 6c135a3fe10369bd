// The floor of the engine's benchmarks: the workloads of `LoadDriver`, with the same command line, the same line of
// JSON, and nothing around libcurl. The typed workload doesn't decode.
#include "loop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { slowest_microseconds = 1 << 20 };

// The results of a load so far, with readings of CPU and count at both ends of the measured window.
struct load {
    uint64_t opens, closes;
    long completed, first, last;
    double cpu_first, cpu_last;
    uint32_t *latencies;
    long measured;
};

static bool request_ended(void *context, struct transfer *transfer) {
    struct load *load = context;
    uint64_t now = monotonic_nanoseconds();
    if (transfer->size == 0) {
        fputs("an empty answer\n", stderr);
        exit(1);
    }
    load->completed++;
    if (now >= load->opens && load->cpu_first == 0) {
        load->first = load->completed;
        load->cpu_first = cpu_microseconds();
    }
    if (now >= load->closes && load->cpu_last == 0) {
        load->last = load->completed;
        load->cpu_last = cpu_microseconds();
    }
    if (transfer->begin >= load->opens) {
        uint64_t microseconds = (now - transfer->begin) / 1000;
        load->latencies[microseconds < slowest_microseconds ? microseconds : slowest_microseconds - 1]++;
        load->measured++;
    }
    return now < load->closes;
}

static void run_load(const struct settings *settings, struct transfer *transfers) {
    struct load load = {.latencies = calloc(slowest_microseconds, sizeof(uint32_t))};
    load.opens = monotonic_nanoseconds() + (uint64_t)(settings->warm_up * 1e9);
    load.closes = load.opens + (uint64_t)(settings->seconds * 1e9);
    for (long index = 0; index < settings->concurrency; index++) loop_prepare(&transfers[index], settings->url);
    loop_run(transfers, settings->concurrency, request_ended, &load);
    long seen = 0, median = 0;
    while (median < slowest_microseconds - 1 && (seen += load.latencies[median]) * 2 < load.measured) median++;
    long requests = load.last - load.first;
    printf("{\"requests\": %ld, \"errors\": 0, \"cpu\": %.3f, \"p50\": %ld}\n", requests,
           (load.cpu_last - load.cpu_first) / (double)(requests > 0 ? requests : 1), median);
}

static bool only_once(void *context, struct transfer *transfer) {
    (void)context, (void)transfer;
    return false;
}

static void run_download(const struct settings *settings, struct transfer *transfer) {
    loop_prepare(transfer, settings->url);
    loop_run(transfer, 1, only_once, NULL);
    double cpu = cpu_microseconds();
    uint64_t end = monotonic_nanoseconds() + (uint64_t)(settings->seconds * 1e9);
    size_t bytes = 0;
    long count = 0;
    do {
        loop_run(transfer, 1, only_once, NULL);
        bytes += transfer->size;
        count++;
    } while (monotonic_nanoseconds() < end);
    printf("{\"requests\": %ld, \"bytes\": %zu, \"cpu\": %.3f}\n", count, bytes,
           (cpu_microseconds() - cpu) / 1000 / ((double)bytes / 1e8));
}

static void run_idle(const struct settings *settings, struct transfer *transfers) {
    struct transfer first = {0};
    loop_prepare(&first, settings->url);
    loop_run(&first, 1, only_once, NULL);
    usleep(200000);
    long memory = resident_bytes();
    int sockets = open_sockets();
    for (long index = 0; index < settings->concurrency; index++) loop_prepare(&transfers[index], settings->slow_url);
    loop_run(transfers, settings->concurrency, only_once, NULL);
    sleep(1);
    int connections = open_sockets() - sockets;
    printf("{\"connections\": %d, \"memory\": %.1f}\n", connections,
           (double)(resident_bytes() - memory) / (connections > 0 ? connections : 1));
}

static struct settings read_settings(int count, char **words) {
    struct settings settings = {.concurrency = 1, .seconds = 2, .warm_up = 0.5};
    settings.mode = words[1];
    settings.url = words[2];
    for (int index = 3; index < count; index++) {
        const char *option = words[index];
        if (!strcmp(option, "--http2")) {
            settings.uses_http2 = true;
            continue;
        }
        const char *value = index + 1 < count ? words[++index] : "";
        if (!strcmp(option, "--slow")) settings.slow_url = value;
        else if (!strcmp(option, "--concurrency")) settings.concurrency = atol(value);
        else if (!strcmp(option, "--seconds")) settings.seconds = atof(value);
        else if (!strcmp(option, "--warm-up")) settings.warm_up = atof(value);
        else if (!strcmp(option, "--authorities")) settings.authorities = value;
        else {
            fprintf(stderr, "there is no option %s\n", option);
            exit(1);
        }
    }
    settings.posts = !strcmp(settings.mode, "post");
    settings.keeps_body = strcmp(settings.mode, "download") != 0;
    if (settings.concurrency < 1) settings.concurrency = 1;
    return settings;
}

int main(int count, char **words) {
    if (count == 2 && !strcmp(words[1], "version")) return puts(curl_version()) < 0;
    if (count < 3) return fputs("usage: bench-engine-floor MODE URL [OPTIONS]\n", stderr), 2;
    struct settings settings = read_settings(count, words);
    struct transfer *transfers = calloc((size_t)settings.concurrency, sizeof *transfers);
    if (!transfers) return 1;
    loop_open(&settings);
    if (!strcmp(settings.mode, "download")) {
        run_download(&settings, transfers);
    } else if (!strcmp(settings.mode, "idle")) {
        run_idle(&settings, transfers);
    } else if (!strcmp(settings.mode, "once")) {
        loop_prepare(transfers, settings.url);
        loop_run(transfers, 1, only_once, NULL);
        _exit(0);
    } else {
        run_load(&settings, transfers);
    }
    return 0;
}
