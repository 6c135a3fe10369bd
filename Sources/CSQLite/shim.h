#ifndef NET_CSQLITE_SHIM_H
#define NET_CSQLITE_SHIM_H
#include <sqlite3.h>

/// Binds a copy of the text; a null pointer with length 0 binds the empty text, not NULL.
static inline int net_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
    return sqlite3_bind_text64(statement, index, text ? text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of the bytes; a null pointer with length 0 binds an empty blob, not NULL.
static inline int net_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}
#endif
