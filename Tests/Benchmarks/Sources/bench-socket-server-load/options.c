#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail(const char *word) {
    fprintf(stderr,
            "%s\narguments: PORT PID WORKLOAD [NAME=VALUE…]\n"
            "workloads: echo accept idle broadcast asleep fan-out\n"
            "names: connections seconds path protocol hello message expected trigger batch size warm-up asleep\n"
            "       other-port other-pid broker-pid rate publishers\n",
            word);
    exit(2);
}

static uint64_t number(const char *word, const char *text) {
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    if (!*text || *end) fail(word);
    return value;
}

static void read_word(struct options *options, const char *word) {
    const char *value = strchr(word, '=');
    if (!value) fail(word);
    size_t length = (size_t)(value++ - word);
    const struct {
        const char *name;
        const char **text;
        size_t *count;
    } known[] = {
        {"path", &options->path, NULL},         {"protocol", &options->protocol, NULL},
        {"hello", &options->hello, NULL},       {"message", &options->message, NULL},
        {"expected", &options->expected, NULL}, {"trigger", &options->trigger, NULL},
        {"batch", NULL, &options->batch},       {"size", NULL, &options->size},
        {"asleep", NULL, &options->asleep},     {"connections", NULL, &options->connections},
        {"rate", NULL, &options->rate},         {"other-port", NULL, &options->other_port},
        {"other-pid", NULL, &options->other_pid}, {"broker-pid", NULL, &options->broker_pid},
        {"publishers", NULL, &options->publishers},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) != length || memcmp(known[i].name, word, length)) continue;
        if (known[i].text) *known[i].text = value;
        if (known[i].count) *known[i].count = (size_t)number(word, value);
        return;
    }
    if (!strncmp(word, "warm-up=", length + 1)) {
        options->warm_up = number(word, value);
    } else if (!strncmp(word, "seconds=", length + 1)) {
        options->seconds = atof(value);
    } else {
        fail(word);
    }
}

struct options options_read(int count, char **words) {
    struct options options = {.connections = 1000,
                              .seconds = 1,
                              .path = "/echo",
                              .batch = 1,
                              .size = 128,
                              .warm_up = 100,
                              .asleep = 1,
                              .rate = 20,
                              .publishers = 1};
    if (count < 4) fail("");
    options.port = (uint16_t)number(words[1], words[1]);
    options.pid = (pid_t)number(words[2], words[2]);
    options.workload = words[3];
    for (int i = 4; i < count; i++) read_word(&options, words[i]);
    if (!options.connections || options.seconds <= 0) fail("out of range");
    if (strcmp(options.workload, "asleep") == 0 && options.asleep >= options.connections) fail("out of range");
    if (!options.rate || !options.publishers || options.publishers > 2) fail("out of range");
    return options;
}
