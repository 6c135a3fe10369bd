#ifndef NET_CHIREDIS_SHIM_H
#define NET_CHIREDIS_SHIM_H
#include <hiredis/hiredis.h>
#include <stdlib.h>

/* How a reader makes an array differs between hiredis 0.14 and 1.0. */
#if HIREDIS_MAJOR >= 1
typedef size_t net_redis_count;
#else
typedef int net_redis_count;
#endif

/* A reader's functions, with hiredis's own for arrays. */
typedef struct net_redis_functions {
    redisReplyObjectFunctions functions;
    void *(*make_array)(const redisReadTask *, net_redis_count);
} net_redis_functions;

/* The most elements of an array: hiredis 0.14 reserves the memory for as many as the peer says there will be. */
enum { net_redis_maximum_elements = 1 << 20 };

static void *net_redis_make_array(const redisReadTask *task, net_redis_count count) {
    net_redis_functions *own = (net_redis_functions *)task->privdata;
    if (count < 0 || count > net_redis_maximum_elements) return NULL;
    return own->make_array(task, count);
}

/* Creates a reader of replies; NULL without memory. */
static inline redisReader *net_redis_reader_create(void) {
    redisReader *reader = redisReaderCreate();
    net_redis_functions *own = (net_redis_functions *)malloc(sizeof(net_redis_functions));
    if (reader == NULL || own == NULL) {
        if (reader != NULL) redisReaderFree(reader);
        free(own);
        return NULL;
    }
    own->functions = *reader->fn;
    own->make_array = reader->fn->createArray;
    own->functions.createArray = net_redis_make_array;
    reader->fn = &own->functions;
    reader->privdata = own;
    return reader;
}

static inline void net_redis_reader_free(redisReader *reader) {
    void *own = reader->privdata;
    redisReaderFree(reader);
    free(own);
}

/* The bytes that were fed and are no reply yet. */
static inline size_t net_redis_reader_waiting(const redisReader *reader) { return reader->len - reader->pos; }

static inline const redisReply *net_redis_element(const redisReply *reply, size_t index) {
    return reply->element[index];
}
#endif
