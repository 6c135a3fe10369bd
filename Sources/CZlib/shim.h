#ifndef NET_CZLIB_SHIM_H
#define NET_CZLIB_SHIM_H
#include <stdlib.h>
#include <zlib.h>

// zlib's initializers are macros, which Swift doesn't import. A stream is allocated with malloc and released by the
// functions below, so that its address never changes: zlib keeps a pointer to it.

/// Creates a stream that inflates: 15 window bits for zlib's format, 31 for gzip, -15 for raw deflate; NULL if out of
/// memory.
static inline z_stream *_Nullable net_zlib_new_inflater(int window_bits) {
    z_stream *stream = (z_stream *)calloc(1, sizeof(z_stream));
    if (stream && inflateInit2(stream, window_bits) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}
static inline void net_zlib_free_inflater(z_stream *_Nonnull stream) {
    inflateEnd(stream);
    free(stream);
}
/// Creates a stream that deflates, with the same window bits; NULL if out of memory.
static inline z_stream *_Nullable net_zlib_new_deflater(int level, int window_bits) {
    z_stream *stream = (z_stream *)calloc(1, sizeof(z_stream));
    if (stream && deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}
/// Creates a stream that deflates without header and checksum; NULL if out of memory.
static inline z_stream *_Nullable net_zlib_new_raw_deflater(int level, int window_bits, int memory_level) {
    z_stream *stream = (z_stream *)calloc(1, sizeof(z_stream));
    if (stream && deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}
static inline void net_zlib_free_deflater(z_stream *_Nonnull stream) {
    deflateEnd(stream);
    free(stream);
}
#endif
