// Reads the frames of clients as they arrive: a large payload is echoed or counted in pieces and never held as a whole.
#include <inttypes.h>
#include <stdio.h>

#include "connection.h"

void frames_send(struct connection *connection, enum wire_opcode opcode, const void *payload, size_t count) {
    uint8_t header[WIRE_MAXIMUM_HEADER];
    buffer_append(&connection->out, header, wire_write_header(header, wire_final(opcode), count, NULL));
    buffer_append(&connection->out, payload, count);
}

static bool is_control(const struct wire_header *frame) { return frame->opcode >= WIRE_CLOSE; }

static bool is_echoed(const struct connection *connection) {
    return connection->path == PATH_ECHO && !is_control(&connection->frame);
}

/// True if the payload is kept until the frame is complete: for control frames, and for texts that are commands.
static bool is_kept(const struct connection *connection) {
    return is_control(&connection->frame) || (connection->path != PATH_ECHO && connection->frame.opcode == WIRE_TEXT);
}

static bool begin_frame(struct connection *connection) {
    const struct wire_header *frame = &connection->frame;
    if (!frame->is_masked) return false;
    if (is_kept(connection) && frame->length > WIRE_MAXIMUM_CONTROL) return false;
    connection->is_in_payload = true;
    connection->payload_remaining = frame->length;
    connection->command_count = 0;
    if (is_echoed(connection)) {
        uint8_t first = (uint8_t)(frame->is_final << 7 | frame->opcode);
        uint8_t *out = buffer_reserve(&connection->out, WIRE_MAXIMUM_HEADER);
        buffer_commit(&connection->out, wire_write_header(out, first, frame->length, NULL));
    }
    return true;
}

static void receive_payload(struct connection *connection, const uint8_t *bytes, size_t count) {
    const struct wire_header *frame = &connection->frame;
    size_t phase = (size_t)(frame->length - connection->payload_remaining);
    connection->payload_remaining -= count;
    if (is_echoed(connection)) {
        wire_mask(buffer_reserve(&connection->out, count), bytes, count, frame->mask, phase);
        buffer_commit(&connection->out, count);
    } else if (is_kept(connection)) {
        wire_mask(connection->command + connection->command_count, bytes, count, frame->mask, phase);
        connection->command_count += count;
    }
}

/// Runs a text as a command: on /sink, it requests a report of the messages before it; on /source, it contains the size and the
/// number of messages to send; on /room, it is sent back unless it requests a broadcast.
static bool run_command(struct connection *connection) {
    char *text = (char *)connection->command;
    text[connection->command_count] = 0;
    if (connection->path == PATH_SINK) {
        char report[64];
        int count = snprintf(report, sizeof report, "%" PRIu64 " %" PRIu64, connection->messages,
                             connection->message_bytes);
        connection->messages = connection->message_bytes = 0;
        frames_send(connection, WIRE_TEXT, report, (size_t)count);
    } else if (connection->path == PATH_SOURCE) {
        size_t size;
        uint64_t count;
        if (sscanf(text, "%zu %" SCNu64, &size, &count) != 2) return false;
        return source_begin(connection, size, count);
    } else if (connection->path == PATH_ROOM) {
        size_t size, count;
        if (sscanf(text, "B %zu %zu", &size, &count) == 2) {
            room_broadcast(size, count);
        } else {
            frames_send(connection, WIRE_TEXT, text, connection->command_count);
        }
    }
    return true;
}

static bool end_frame(struct connection *connection) {
    connection->is_in_payload = false;
    switch (connection->frame.opcode) {
    case WIRE_TEXT: return connection->path == PATH_ECHO || run_command(connection);
    case WIRE_BINARY:
    case WIRE_CONTINUATION:
        connection->messages += connection->frame.is_final;
        connection->message_bytes += connection->frame.length;
        return true;
    case WIRE_CLOSE:
        frames_send(connection, WIRE_CLOSE, connection->command, connection->command_count);
        connection->is_closing = true;
        return true;
    case WIRE_PING: frames_send(connection, WIRE_PONG, connection->command, connection->command_count); return true;
    case WIRE_PONG: return true;
    default: return false;
    }
}

bool frames_receive(struct connection *connection, const uint8_t *bytes, size_t count) {
    while (!connection->is_closing) {
        if (!connection->is_in_payload) {
            if (!wire_read_header(bytes, count, &connection->frame)) break;
            bytes += connection->frame.size;
            count -= connection->frame.size;
            if (!begin_frame(connection)) return false;
        }
        uint64_t remaining = connection->payload_remaining;
        size_t piece = remaining < count ? (size_t)remaining : count;
        receive_payload(connection, bytes, piece);
        bytes += piece;
        count -= piece;
        if (connection->payload_remaining) return true;
        if (!end_frame(connection)) return false;
    }
    // At most 13 bytes, which are put in front of the next ones that are read.
    if (!connection->is_closing) {
        memcpy(connection->head, bytes, count);
        connection->head_count = count;
    }
    return true;
}
