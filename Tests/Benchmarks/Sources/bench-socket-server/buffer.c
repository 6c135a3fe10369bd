#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include "socket_wire.h"

uint8_t *buffer_reserve(struct buffer *buffer, size_t count) {
    if (buffer->capacity - buffer->end >= count) return buffer->bytes + buffer->end;
    size_t waiting = buffer_count(buffer);
    // Only if it pays: a move for each read of a full buffer would copy the same bytes again and again.
    if (buffer->start && buffer->start >= waiting) {
        memmove(buffer->bytes, buffer->bytes + buffer->start, waiting);
        buffer->start = 0;
        buffer->end = waiting;
    }
    size_t capacity = buffer->capacity ? buffer->capacity : 4096;
    while (capacity - buffer->end < count) capacity *= 2;
    if (capacity != buffer->capacity) {
        uint8_t *bytes = realloc(buffer->bytes, capacity);
        if (!bytes) wire_fail("realloc");
        buffer->bytes = bytes;
        buffer->capacity = capacity;
    }
    return buffer->bytes + buffer->end;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t count) {
    memcpy(buffer_reserve(buffer, count), bytes, count);
    buffer_commit(buffer, count);
}
