/// Bytes that wait to be written: appended at the end, taken from the front.
#ifndef BUFFER_H
#define BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct buffer {
    uint8_t *bytes;
    size_t start, end, capacity;
};

/// Returns where `count` more bytes can be written; `buffer_commit` adds those that were. May move the waiting bytes.
uint8_t *buffer_reserve(struct buffer *buffer, size_t count);
void buffer_append(struct buffer *buffer, const void *bytes, size_t count);

static inline size_t buffer_count(const struct buffer *buffer) { return buffer->end - buffer->start; }

static inline void buffer_commit(struct buffer *buffer, size_t count) { buffer->end += count; }

static inline void buffer_consume(struct buffer *buffer, size_t count) {
    buffer->start += count;
    if (buffer->start == buffer->end) buffer->start = buffer->end = 0;
}

#endif
