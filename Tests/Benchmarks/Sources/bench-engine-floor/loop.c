#include "loop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { post_size = 1024, descriptors = 65536 };

static CURLM *multi;
static int epoll;
static uint64_t deadline = UINT64_MAX;
static const struct settings *settings;
static struct curl_slist *post_fields;
static char post_body[post_size];
// The events that epoll watches and those that libcurl requests. The registration stays while a connection is kept alive.
static uint32_t registered[descriptors], wanted[descriptors];

static void stop(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(1);
}

static size_t receive_body(char *data, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    (void)size;
    if (settings->keeps_body) {
        if (transfer->size + count > transfer->capacity) {
            transfer->capacity = (transfer->size + count) * 2;
            transfer->body = realloc(transfer->body, transfer->capacity);
            if (!transfer->body) stop("no memory for a body");
        }
        memcpy(transfer->body + transfer->size, data, count);
    }
    transfer->size += count;
    return count;
}

static size_t receive_field(char *line, size_t size, size_t count, void *context) {
    (void)line, (void)size, (void)context;
    return count;
}

static int watch_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context) {
    (void)easy, (void)context, (void)socket_context;
    if (socket >= descriptors) stop("too many descriptors");
    uint32_t events = 0;
    if (what != CURL_POLL_REMOVE) {
        if (what & CURL_POLL_IN) events |= EPOLLIN;
        if (what & CURL_POLL_OUT) events |= EPOLLOUT;
    }
    wanted[socket] = events;
    if (events == 0 || registered[socket] == events) return 0;
    struct epoll_event event = {.events = events, .data.fd = socket};
    epoll_ctl(epoll, registered[socket] ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    registered[socket] = events;
    return 0;
}

static int close_socket(void *context, curl_socket_t socket) {
    (void)context;
    registered[socket] = wanted[socket] = 0;
    return close(socket);
}

static int set_timer(CURLM *handle, long milliseconds, void *context) {
    (void)handle, (void)context;
    deadline = milliseconds < 0 ? UINT64_MAX : monotonic_nanoseconds() + (uint64_t)milliseconds * 1000000;
    return 0;
}

void loop_open(const struct settings *chosen) {
    settings = chosen;
    if (curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK) stop("libcurl does not start");
    multi = curl_multi_init();
    epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!multi || epoll < 0) stop("no multi handle or no epoll");
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, settings->concurrency + 8);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 256L);
    memset(post_body, 'x', post_size);
    post_fields = curl_slist_append(curl_slist_append(NULL, "Content-Type: application/json"), "Expect:");
}

void loop_prepare(struct transfer *transfer, const char *url) {
    CURL *easy = transfer->easy = curl_easy_init();
    if (!easy) stop("no easy handle");
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_field);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 60000L);
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 65536L);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(
        easy, CURLOPT_HTTP_VERSION, (long)(settings->uses_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    if (settings->authorities) curl_easy_setopt(easy, CURLOPT_CAINFO, settings->authorities);
    if (settings->posts) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, post_body);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)post_size);
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, post_fields);
    }
}

static void start(struct transfer *transfer) {
    transfer->size = 0;
    transfer->begin = monotonic_nanoseconds();
    if (curl_multi_add_handle(multi, transfer->easy) != CURLM_OK) stop("a transfer cannot be added");
}

// Waits for sockets and the timer, and lets libcurl handle those that are ready.
static void turn(void) {
    struct epoll_event events[512];
    uint64_t now = monotonic_nanoseconds();
    int timeout = deadline == UINT64_MAX ? -1 : deadline <= now ? 0 : (int)((deadline - now + 999999) / 1000000);
    int running, count = epoll_wait(epoll, events, 512, timeout);
    for (int index = 0; index < count; index++) {
        int socket = events[index].data.fd, flags = 0;
        if (!wanted[socket]) {
            epoll_ctl(epoll, EPOLL_CTL_DEL, socket, NULL);
            registered[socket] = 0;
            continue;
        }
        if (events[index].events & EPOLLIN) flags |= CURL_CSELECT_IN;
        if (events[index].events & EPOLLOUT) flags |= CURL_CSELECT_OUT;
        if (events[index].events & (EPOLLERR | EPOLLHUP)) flags |= CURL_CSELECT_ERR;
        curl_multi_socket_action(multi, socket, flags, &running);
    }
    if (deadline != UINT64_MAX && deadline <= monotonic_nanoseconds()) {
        deadline = UINT64_MAX;
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
}

void loop_run(struct transfer *transfers, long count, ended ended, void *context) {
    for (long index = 0; index < count; index++) start(&transfers[index]);
    long live = count;
    while (live > 0) {
        turn();
        CURLMsg *message;
        int left;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            struct transfer *transfer;
            long status = 0;
            CURLcode code = message->data.result;
            CURL *easy = message->easy_handle;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (code != CURLE_OK) stop(curl_easy_strerror(code));
            if (status != 200) stop("a status other than 200");
            curl_multi_remove_handle(multi, easy);
            if (ended(context, transfer)) start(transfer); else live--;
        }
    }
}
