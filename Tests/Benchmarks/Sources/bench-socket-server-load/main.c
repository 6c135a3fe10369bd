// bench-socket-server-load PORT PID WORKLOAD [NAME=VALUE…]: loads a WebSocket server on loopback; prints one line of JSON.
//
// C, one thread, one epoll. The line contains the number of messages, the seconds that they took, and the seconds of CPU that
// the server's process (PID) spent on them. The CPU time is read here, when the first message is sent and when the last one has
// arrived.
#include <stdio.h>

#include "workloads.h"

static const struct {
    const char *name;
    void (*run)(const struct options *);
} workloads[] = {{"echo", run_echo},
                 {"accept", run_accept},
                 {"idle", run_idle},
                 {"broadcast", run_broadcast},
                 {"asleep", run_asleep},
                 {"fan-out", run_fan_out}};

int main(int count, char **words) {
    struct options options = options_read(count, words);
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        if (strcmp(workloads[i].name, options.workload)) continue;
        workloads[i].run(&options);
        return 0;
    }
    fprintf(stderr, "there is no workload %s\n", options.workload);
    return 2;
}
