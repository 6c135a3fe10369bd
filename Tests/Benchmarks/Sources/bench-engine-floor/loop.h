// One libcurl multi handle on one epoll, driven by curl_multi_socket_action: the minimum that a client over libcurl has to do.
#ifndef LOOP_H
#define LOOP_H
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A request in flight and the body that it collects. The handle is reused for the next request.
struct transfer {
    CURL *easy;
    char *body;
    size_t size, capacity;
    uint64_t begin;
};

// The command line, and settings derived from it.
struct settings {
    const char *mode, *url, *slow_url, *authorities;
    long concurrency;
    double seconds, warm_up;
    bool uses_http2, posts, keeps_body;
};

// Called at the end of a transfer; returns true to send it again.
typedef bool (*ended)(void *context, struct transfer *transfer);

void loop_open(const struct settings *settings);
// Creates the handle of a transfer for `url`.
void loop_prepare(struct transfer *transfer, const char *url);
// Runs `count` transfers until `ended` has returned false for each of them. Exits the process if one fails.
void loop_run(struct transfer *transfers, long count, ended ended, void *context);

// The resources that this process has used and holds.
double cpu_microseconds(void);
uint64_t monotonic_nanoseconds(void);
long resident_bytes(void);
int open_sockets(void);
#endif
