#ifndef NET_CPSL_SHIM_H
#define NET_CPSL_SHIM_H
#include <libpsl.h>
#endif
