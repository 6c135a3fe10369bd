#ifndef NET_CCURL_SHIM_H
#define NET_CCURL_SHIM_H
#include <curl/curl.h>
#ifdef __linux__
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <signal.h>
#include <unistd.h>
#endif

// libcurl's setters are variadic, which Swift can't call, so there is one function per type of value. The parentheses
// prevent the use of the type-checking macros of curl/typecheck-gcc.h.

static inline CURLcode net_easy_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode net_easy_set_offset(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode net_easy_set_pointer(CURL *_Nonnull easy, CURLoption option, const void *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode net_easy_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return (curl_easy_setopt)(easy, option, value);
}
/// Copies the bytes into the handle.
static inline CURLcode net_easy_set_blob(
    CURL *_Nonnull easy, CURLoption option, const void *_Nonnull bytes, size_t count) {
    struct curl_blob blob;
    blob.data = (void *)bytes;
    blob.len = count;
    blob.flags = CURL_BLOB_COPY;
    return (curl_easy_setopt)(easy, option, &blob);
}

typedef size_t (*net_data_callback)(char *_Nullable, size_t, size_t, void *_Nullable);
static inline CURLcode net_easy_set_data_callback(
    CURL *_Nonnull easy, CURLoption option, net_data_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, option, callback);
}
typedef int (*net_close_callback)(void *_Nullable, curl_socket_t);
static inline CURLcode net_easy_set_close_callback(CURL *_Nonnull easy, net_close_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}
typedef int (*net_sockopt_callback)(void *_Nullable, curl_socket_t, curlsocktype);
static inline CURLcode net_easy_set_socket_callback(CURL *_Nonnull easy, net_sockopt_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, CURLOPT_SOCKOPTFUNCTION, callback);
}
typedef int (*net_progress_callback)(void *_Nullable, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
static inline CURLcode net_easy_set_progress_callback(CURL *_Nonnull easy, net_progress_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, CURLOPT_XFERINFOFUNCTION, callback);
}
typedef int (*net_seek_callback)(void *_Nullable, curl_off_t, int);
static inline CURLcode net_easy_set_seek_callback(CURL *_Nonnull easy, net_seek_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, CURLOPT_SEEKFUNCTION, callback);
}

typedef int (*net_debug_callback)(CURL *_Nullable, curl_infotype, char *_Nullable, size_t, void *_Nullable);
static inline CURLcode net_easy_set_debug_callback(CURL *_Nonnull easy, net_debug_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, CURLOPT_DEBUGFUNCTION, callback);
}

typedef int (*net_trailer_callback)(struct curl_slist *_Nullable *_Nonnull, void *_Nullable);
static inline CURLcode net_easy_set_trailer_callback(CURL *_Nonnull easy, net_trailer_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, CURLOPT_TRAILERFUNCTION, callback);
}

typedef int (*net_prereq_callback)(void *_Nullable, char *_Nullable, char *_Nullable, int, int);
static inline CURLcode net_easy_set_prereq_callback(CURL *_Nonnull easy, net_prereq_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, callback);
}
typedef int (*net_resolver_callback)(void *_Nullable, void *_Nullable, void *_Nullable);
static inline CURLcode net_easy_set_resolver_callback(CURL *_Nonnull easy, net_resolver_callback _Nullable callback) {
    return (curl_easy_setopt)(easy, CURLOPT_RESOLVER_START_FUNCTION, callback);
}
/// Creates the data that several multi handles of one thread share: looked-up names and TLS sessions.
static inline CURLSH *_Nullable net_share_make(void) {
    CURLSH *share = curl_share_init();
    if (share) {
        (curl_share_setopt)(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS);
        (curl_share_setopt)(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    }
    return share;
}

/// Makes cleanup of a handle not wait for a name that is still being looked up (libcurl 7.87 and later).
static inline void net_easy_set_quick_exit(CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    (curl_easy_setopt)(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
}
/// Allows only http and https.
static inline CURLcode net_easy_set_protocols(CURL *_Nonnull easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return (curl_easy_setopt)(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return (curl_easy_setopt)(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static inline long net_easy_get_long(CURL *_Nonnull easy, CURLINFO info) {
    long value = 0;
    (curl_easy_getinfo)(easy, info, &value);
    return value;
}
static inline curl_off_t net_easy_get_offset(CURL *_Nonnull easy, CURLINFO info) {
    curl_off_t value = 0;
    (curl_easy_getinfo)(easy, info, &value);
    return value;
}
static inline const char *_Nullable net_easy_get_string(CURL *_Nonnull easy, CURLINFO info) {
    char *value = 0;
    (curl_easy_getinfo)(easy, info, &value);
    return value;
}
static inline curl_socket_t net_easy_get_socket(CURL *_Nonnull easy) {
    curl_socket_t value = CURL_SOCKET_BAD;
    (curl_easy_getinfo)(easy, CURLINFO_ACTIVESOCKET, &value);
    return value;
}
static inline void *_Nullable net_easy_get_private(CURL *_Nonnull easy) {
    char *value = 0;
    (curl_easy_getinfo)(easy, CURLINFO_PRIVATE, &value);
    return value;
}

typedef int (*net_socket_callback)(CURL *_Nullable, curl_socket_t, int, void *_Nullable, void *_Nullable);
typedef int (*net_timer_callback)(CURLM *_Nullable, long, void *_Nullable);
static inline CURLMcode net_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}
static inline CURLMcode net_multi_set_callbacks(
    CURLM *_Nonnull multi, net_socket_callback _Nonnull socket, net_timer_callback _Nonnull timer,
    void *_Nonnull context) {
    (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, socket);
    (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context);
    (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, timer);
    return (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context);
}
/// Takes one finished transfer; returns 0 if there isn't one.
static inline int net_multi_next_done(CURLM *_Nonnull multi, CURL *_Nullable *_Nonnull easy, CURLcode *_Nonnull code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *easy = message->easy_handle;
        *code = message->data.result;
        return 1;
    }
    return 0;
}

static inline curl_version_info_data *_Nullable net_version_info(void) { return curl_version_info(CURLVERSION_NOW); }

// Macros with a cast, which Swift doesn't import.
static const size_t net_write_pause = CURL_WRITEFUNC_PAUSE;
static const size_t net_read_pause = CURL_READFUNC_PAUSE;
static const size_t net_read_abort = CURL_READFUNC_ABORT;
static const long net_auth_basic = (long)CURLAUTH_BASIC;
static const long net_auth_digest = (long)CURLAUTH_DIGEST;
static const long net_auth_negotiate = (long)CURLAUTH_NEGOTIATE;
static const long net_auth_any = (long)CURLAUTH_ANY;
static const long net_feature_tls = CURL_VERSION_SSL;
static const long net_feature_http2 = CURL_VERSION_HTTP2;
static const long net_feature_http3 = CURL_VERSION_HTTP3;
static const long net_feature_alt_svc = CURL_VERSION_ALTSVC;
static const long net_feature_https_proxy = CURL_VERSION_HTTPS_PROXY;
static const long net_feature_unix_sockets = CURL_VERSION_UNIX_SOCKETS;
static const long net_feature_ipv6 = CURL_VERSION_IPV6;
static const long net_feature_asynchronous_dns = CURL_VERSION_ASYNCHDNS;
static const long net_feature_idn = CURL_VERSION_IDN;
static const long net_feature_psl = CURL_VERSION_PSL;
static const long net_feature_spnego = CURL_VERSION_SPNEGO;

#ifdef __linux__
/// Opens a socket that child processes don't inherit; libcurl's own sockets are inherited. `family` is the only allowed
/// address family, as `CURL_IPRESOLVE_…`: newer libcurl (8.21) applies it to names but connects to addresses of any
/// family.
static inline curl_socket_t net_open_socket(void *_Nullable family, curlsocktype purpose, struct curl_sockaddr *_Nonnull address) {
    (void)purpose;
    if (address->family == AF_INET && (long)family == CURL_IPRESOLVE_V6) return CURL_SOCKET_BAD;
    if (address->family == AF_INET6 && (long)family == CURL_IPRESOLVE_V4) return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
static inline CURLcode net_easy_set_private_sockets(CURL *_Nonnull easy) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, net_open_socket);
}
/// Sets the only allowed address family, as `CURL_IPRESOLVE_…`.
static inline CURLcode net_easy_set_family(CURL *_Nonnull easy, long family) {
    (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETDATA, (void *)family);
    return (curl_easy_setopt)(easy, CURLOPT_IPRESOLVE, family);
}
/// Returns the two lowest free descriptors; -1 for none. `any` is an open descriptor.
static inline void net_free_descriptors(int any, int *_Nonnull first, int *_Nonnull second) {
    *first = fcntl(any, F_DUPFD_CLOEXEC, 0);
    *second = fcntl(any, F_DUPFD_CLOEXEC, 0);
    if (*first >= 0) close(*first);
    if (*second >= 0) close(*second);
}
/// Keeps child processes from inheriting a descriptor with which libcurl may wake itself: a Unix socket or a pipe
/// (8.5). Leaves any other descriptor unchanged.
static inline void net_keep_wakeup(int descriptor) {
    int domain = 0;
    socklen_t size = sizeof domain;
    struct stat status;
    if ((getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX)
        || (fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode)))
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}
/// Returns 1 if libcurl never raises SIGPIPE. Before 7.88, it lets OpenSSL write to a broken connection.
static inline int net_curl_spares_pipe_signal(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num >= 0x075800;
}
/// Sets up a thread that runs libcurl: sets its name, and blocks SIGPIPE if libcurl can raise it.
static inline void net_prepare_thread(const char *_Nonnull name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
    if (net_curl_spares_pipe_signal()) return;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}
/// Creates a timer of the monotonic clock; returns -1 on failure.
static inline int net_timer_make(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }
/// Sets the timer to fire at `nanoseconds`, which must not be 0.
static inline void net_timer_set(int descriptor, unsigned long long nanoseconds) {
    struct itimerspec time;
    memset(&time, 0, sizeof time);
    time.it_value.tv_sec = (time_t)(nanoseconds / 1000000000);
    time.it_value.tv_nsec = (long)(nanoseconds % 1000000000);
    timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &time, NULL);
}
static inline int net_epoll_control(int epoll, int operation, int descriptor, unsigned events) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = events;
    event.data.fd = descriptor;
    return epoll_ctl(epoll, operation, descriptor, &event);
}
static inline int net_epoll_descriptor(const struct epoll_event *_Nonnull event) { return event->data.fd; }
static inline unsigned net_epoll_events(const struct epoll_event *_Nonnull event) { return event->events; }

/// Returns unused pages of the heap to the kernel.
static inline void net_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/// Like `calloc`, but uses the thread's cached blocks, as glibc's own `calloc` does only since 2.41: without them,
/// twelve blocks of a GET cost 370 instructions each. The empty assembly keeps compilers from merging the two calls
/// into `calloc`.
static inline void *_Nullable net_calloc(size_t count, size_t size) {
    if (size > 1024 || count > 1024 || count * size > 1024) return calloc(count, size);
    void *block = malloc(count * size);
    __asm__ volatile("" : "+r"(block));
    return block ? memset(block, 0, count * size) : block;
}

/// Creates an anonymous file in memory that child processes don't inherit. Older C libraries lack a function for it.
static inline int net_memory_file(const char *_Nonnull name) { return (int)syscall(SYS_memfd_create, name, 1U); }

/// Returns the size of a socket's receive buffer in bytes, including the kernel's bookkeeping.
static inline int net_socket_receive_buffer(int descriptor) {
    int bytes = 0;
    socklen_t size = sizeof bytes;
    getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, &size);
    return bytes;
}
/// Sets the size of the receive buffer, which then no longer grows; the kernel doubles the number for its bookkeeping.
static inline void net_socket_set_receive_buffer(int descriptor, int bytes) {
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}
/// Keeps the kernel from growing the receive buffer; returns a value other than 0 if that isn't supported (before Linux
/// 5.14). Debian 12's glibc doesn't define `SO_BUF_LOCK` (72) and `SOCK_RCVBUF_LOCK` (2), which belong to the kernel's
/// interface.
static inline int net_socket_lock_receive_buffer(int descriptor) {
    int lock = 2;
    return setsockopt(descriptor, SOL_SOCKET, 72, &lock, sizeof lock);
}
/// Returns the local port; 0 if there is none.
static inline int net_socket_local_port(int descriptor) {
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return 0;
    if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
    if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return 0;
}
/// Limits the window that TCP announces.
static inline void net_socket_clamp_window(int descriptor, int bytes) {
    setsockopt(descriptor, IPPROTO_TCP, TCP_WINDOW_CLAMP, &bytes, sizeof bytes);
}
#endif
#endif
