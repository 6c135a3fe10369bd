#ifndef NET_CYAML_SHIM_H
#define NET_CYAML_SHIM_H
#include <yaml.h>
#endif
