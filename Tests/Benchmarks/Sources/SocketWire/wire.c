#include "socket_wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

_Noreturn void wire_fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "unexpected");
    exit(1);
}

void wire_set_no_delay(int fd) {
    int on = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)) wire_fail("setsockopt TCP_NODELAY");
}

static struct sockaddr_in loopback(uint16_t port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

int wire_listen(uint16_t *port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) wire_fail("socket");
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (bind(fd, (struct sockaddr *)&address, size)) wire_fail("bind");
    if (getsockname(fd, (struct sockaddr *)&address, &size)) wire_fail("getsockname");
    if (listen(fd, SOMAXCONN)) wire_fail("listen");
    *port = ntohs(address.sin_port);
    return fd;
}

int wire_connect(uint16_t port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) wire_fail("socket");
    struct sockaddr_in address = loopback(port);
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) wire_fail("connect");
    wire_set_no_delay(fd);
    return fd;
}
