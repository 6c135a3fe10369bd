#ifndef NET_CZSTD_SHIM_H
#define NET_CZSTD_SHIM_H
#include <zstd.h>
#include <zstd_errors.h>
#endif
