// /source: the same block of frames over and over.
#include <stdlib.h>

#include "connection.h"

enum {
    /// About the size of one send call; a larger message is a separate block.
    BLOCK_SIZE = 256 << 10,
    MAXIMUM_MESSAGE = 64 << 20,
};

bool source_begin(struct connection *connection, size_t size, uint64_t count) {
    struct source *source = &connection->source;
    if (source->is_active || size > MAXIMUM_MESSAGE) return false;
    size_t frames = BLOCK_SIZE / (size + WIRE_MAXIMUM_HEADER);
    if (frames == 0) frames = 1;
    uint8_t *block = realloc(source->block, frames * (size + WIRE_MAXIMUM_HEADER));
    if (!block) return false;

    size_t end = 0;
    for (size_t frame = 0; frame < frames; frame++) {
        end += wire_write_header(block + end, wire_final(WIRE_BINARY), size, NULL);
        for (size_t i = 0; i < size; i++) block[end++] = (uint8_t)(i * 31);
    }
    *source = (struct source){
        .block = block, .frame_size = end / frames, .frames_in_block = frames, .remaining = count, .is_active = true};
    return true;
}

const uint8_t *source_pending(struct source *source, bool is_unfinished, size_t *count) {
    if (source->offset == source->run_end) {
        if (is_unfinished || source->remaining == 0) return NULL;
        uint64_t frames = source->remaining < source->frames_in_block ? source->remaining : source->frames_in_block;
        source->remaining -= frames;
        source->offset = 0;
        source->run_end = frames * source->frame_size;
    }
    *count = source->run_end - source->offset;
    return source->block + source->offset;
}

void source_consume(struct source *source, size_t count) { source->offset += count; }
