/* A name server that takes its time, without one: loaded before libc, its getaddrinfo answers names that end in
   ".slow.invalid" with "not found" after a second, and leaves all others to libc. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

typedef int resolver(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    static const char suffix[] = ".slow.invalid";
    size_t length = name ? strlen(name) : 0, size = sizeof suffix - 1;
    if (length > size && !strcmp(name + length - size, suffix)) {
        sleep(1);
        return EAI_NONAME;
    }
    resolver *next = (resolver *)dlsym(RTLD_NEXT, "getaddrinfo");
    return next ? next(name, service, hints, result) : EAI_FAIL;
}
