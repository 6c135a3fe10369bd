#define _GNU_SOURCE
#include "server.h"

#include <stdio.h>
#include <time.h>

#include "socket_wire.h"

static double read_clock(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time)) wire_fail("clock_gettime");
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double now(void) { return read_clock(CLOCK_MONOTONIC); }

// This clock has the time of /proc/PID/stat, which counts in hundredths of a second, in nanoseconds.
double cpu_seconds(pid_t pid) {
    clockid_t clock;
    if (clock_getcpuclockid(pid, &clock)) wire_fail("clock_getcpuclockid");
    return read_clock(clock);
}

long resident_bytes(pid_t pid) {
    char line[256];
    snprintf(line, sizeof line, "/proc/%d/status", (int)pid);
    FILE *file = fopen(line, "r");
    long kib = -1;
    while (file && kib < 0 && fgets(line, sizeof line, file)) {
        if (sscanf(line, "VmRSS: %ld kB", &kib) != 1) kib = -1;
    }
    if (kib < 0) wire_fail("/proc/PID/status");
    fclose(file);
    return kib * 1024;
}
