// Broadcasts: one frame, appended to the waiting bytes of each connection, and one send for each connection.
#include <stdlib.h>

#include "connection.h"

static struct connection *first;

void room_enter(struct connection *connection) {
    connection->next = first;
    connection->link = &first;
    if (first) first->link = &connection->next;
    first = connection;
}

void room_leave(struct connection *connection) {
    if (!connection->link) return;
    *connection->link = connection->next;
    if (connection->next) connection->next->link = connection->link;
    connection->link = NULL;
}

void room_broadcast(size_t size, size_t count) {
    uint8_t *frame = malloc(WIRE_MAXIMUM_HEADER + size);
    if (!frame) wire_fail("malloc");
    size_t frame_size = wire_write_header(frame, wire_final(WIRE_TEXT), size, NULL);
    memset(frame + frame_size, 'x', size);
    frame_size += size;
    for (struct connection *each = first; each; each = each->next) {
        // A connection that doesn't read misses messages, so that it can't fill memory.
        for (size_t i = 0; i < count && buffer_count(&each->out) < MAXIMUM_WAITING; i++) {
            buffer_append(&each->out, frame, frame_size);
        }
        // A client that is gone is detected by its next event.
        (void)connection_write(each);
    }
    free(frame);
}
