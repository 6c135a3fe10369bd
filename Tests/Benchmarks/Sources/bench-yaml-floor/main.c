// Measures the speed at which libyaml itself reads a file: only its events. Prints bytes per second.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <yaml.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int parse(const unsigned char *bytes, size_t count) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return 0;
    yaml_parser_set_input_string(&parser, bytes, count);
    int ok = 1, done = 0;
    while (ok && !done) {
        yaml_event_t event;
        ok = yaml_parser_parse(&parser, &event);
        if (!ok) break;
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return ok;
}

int main(int argc, char **argv) {
    if (argc != 3) return 64;
    FILE *file = fopen(argv[1], "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return 1;
    long length = ftell(file);
    rewind(file);
    unsigned char *bytes = length > 0 ? malloc((size_t)length) : NULL;
    if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length) return 1;
    fclose(file);
    double start = now(), end = start + atof(argv[2]), time = start;
    double total = 0;
    while (time < end) {
        if (!parse(bytes, (size_t)length)) return 1;
        total += (double)length;
        time = now();
    }
    printf("%.0f\n", total / (time - start));
    free(bytes);
    return 0;
}
