#ifndef NET_CBROTLI_SHIM_H
#define NET_CBROTLI_SHIM_H
#include <brotli/decode.h>
#endif
