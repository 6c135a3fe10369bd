#ifndef NET_CCURL_SHIM_H
#define NET_CCURL_SHIM_H
#include <curl/curl.h>
#endif
