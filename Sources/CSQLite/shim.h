#ifndef NET_CSQLITE_SHIM_H
#define NET_CSQLITE_SHIM_H
#include <sqlite3.h>
#endif
