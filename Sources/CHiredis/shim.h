#ifndef NET_CHIREDIS_SHIM_H
#define NET_CHIREDIS_SHIM_H
#include <hiredis/hiredis.h>
#include <stdlib.h>

/* The creation of arrays, and the place of the element being read, differ between hiredis 0.14 and 1.0. */
#if HIREDIS_MAJOR >= 1
typedef size_t net_redis_count;
#define NET_REDIS_TASK(reader) ((reader)->task[(reader)->ridx])
#else
typedef int net_redis_count;
#define NET_REDIS_TASK(reader) (&(reader)->rstack[(reader)->ridx])
#endif

enum {
    /* The maximum nesting of arrays: hiredis 0.14 accepts no more, 1.0 to 1.3 any depth. */
    net_redis_maximum_depth = 7,
    /* The memory for one element of an array, without the bytes of a string. */
    net_redis_element_bytes = sizeof(redisReply) + sizeof(redisReply *),
    /* The maximum length of a line, and of a line that contains the length of a string. */
    net_redis_maximum_line = 64 * 1024,
    net_redis_maximum_length_line = 32,
};

/* The reason why a reader refused a reply that hiredis would have accepted. */
enum { net_redis_within_limits = 0, net_redis_too_large = 1, net_redis_too_deep = 2, net_redis_not_resp2 = 3 };

/* A reader's functions: those of hiredis, with a limit on the memory of one reply. hiredis itself reserves memory for
   as many elements as the peer announces. */
typedef struct net_redis_functions {
    redisReplyObjectFunctions functions;
    const redisReplyObjectFunctions *original;
    size_t maximum;
    size_t used;
    int refusal;
} net_redis_functions;

static void *net_redis_refuse(const redisReadTask *task, int refusal) {
    ((net_redis_functions *)task->privdata)->refusal = refusal;
    return NULL;
}

static void *net_redis_make_string(const redisReadTask *task, char *text, size_t count) {
    net_redis_functions *own = (net_redis_functions *)task->privdata;
    if (task->type != REDIS_REPLY_STRING && task->type != REDIS_REPLY_STATUS && task->type != REDIS_REPLY_ERROR) {
        return net_redis_refuse(task, net_redis_not_resp2);
    }
    if (count > own->maximum - own->used) return net_redis_refuse(task, net_redis_too_large);
    own->used += count;
    return own->original->createString(task, text, count);
}

static void *net_redis_make_array(const redisReadTask *task, net_redis_count count) {
    net_redis_functions *own = (net_redis_functions *)task->privdata;
    /* For some of the other types, hiredis 1.0.0 ends the program if they contain a null. */
    if (task->type != REDIS_REPLY_ARRAY) return net_redis_refuse(task, net_redis_not_resp2);
    int depth = 1;
    for (const redisReadTask *parent = task->parent; parent != NULL; parent = parent->parent) depth += 1;
    if (depth > net_redis_maximum_depth) return net_redis_refuse(task, net_redis_too_deep);
    if (count < 0 || (size_t)count > (own->maximum - own->used) / net_redis_element_bytes) {
        return net_redis_refuse(task, net_redis_too_large);
    }
    own->used += (size_t)count * net_redis_element_bytes;
    return own->original->createArray(task, count);
}

#if HIREDIS_MAJOR >= 1
static void *net_redis_make_double(const redisReadTask *task, double value, char *text, size_t count) {
    return net_redis_refuse(task, net_redis_not_resp2);
}

static void *net_redis_make_bool(const redisReadTask *task, int value) {
    return net_redis_refuse(task, net_redis_not_resp2);
}
#endif

/* Creates a reader of replies that take at most `maximum` bytes of memory each; NULL if out of memory. */
static inline redisReader *net_redis_reader_create(size_t maximum) {
    redisReader *reader = redisReaderCreate();
    net_redis_functions *own = (net_redis_functions *)calloc(1, sizeof(net_redis_functions));
    if (reader == NULL || own == NULL) {
        if (reader != NULL) redisReaderFree(reader);
        free(own);
        return NULL;
    }
    own->original = reader->fn;
    own->functions = *reader->fn;
    own->functions.createString = net_redis_make_string;
    own->functions.createArray = net_redis_make_array;
#if HIREDIS_MAJOR >= 1
    own->functions.createDouble = net_redis_make_double;
    own->functions.createBool = net_redis_make_bool;
#endif
    own->maximum = maximum;
    reader->fn = &own->functions;
    reader->privdata = own;
    return reader;
}

static inline void net_redis_reader_free(redisReader *reader) {
    void *own = reader->privdata;
    redisReaderFree(reader);
    free(own);
}

/* Reads the next reply; NULL if it isn't complete. Returns REDIS_OK or REDIS_ERR. */
static inline int net_redis_reader_next(redisReader *reader, redisReply **reply) {
    void *object = NULL;
    int status = redisReaderGetReply(reader, &object);
    *reply = (redisReply *)object;
    if (object != NULL) ((net_redis_functions *)reader->privdata)->used = 0;
    return status;
}

/* Returns the reason why the reader refused a reply, if hiredis itself found no mistake. */
static inline int net_redis_reader_refusal(const redisReader *reader) {
    return ((const net_redis_functions *)reader->privdata)->refusal;
}

static inline const char *net_redis_reader_mistake(const redisReader *reader) { return reader->errstr; }

/* Returns the number of bytes that were fed and aren't part of a returned reply. */
static inline size_t net_redis_reader_waiting(const redisReader *reader) { return reader->len - reader->pos; }

/* Returns 1 if the reader, which found no complete reply, waits for the end of a line that is already too long. hiredis
   searches for the end from the start of the line each time. */
static inline int net_redis_reader_line_is_endless(const redisReader *reader) {
    size_t waiting = net_redis_reader_waiting(reader);
    if (reader->ridx < 0 || waiting <= net_redis_maximum_length_line) return 0;
    int type = NET_REDIS_TASK(reader)->type;
#ifdef REDIS_REPLY_VERB
    if (type == REDIS_REPLY_VERB) type = REDIS_REPLY_STRING;
#endif
    if (type != REDIS_REPLY_STRING) return waiting > net_redis_maximum_line;
    const char *line = reader->buf + reader->pos;
    for (int index = 0; index < net_redis_maximum_length_line; index += 1) {
        if (line[index] == '\r' && line[index + 1] == '\n') return 0;
    }
    return 1;
}

static inline const redisReply *net_redis_element(const redisReply *reply, size_t index) {
    return reply->element[index];
}
#endif
