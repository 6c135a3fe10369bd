#ifndef NET_CNETLINK_SHIM_H
#define NET_CNETLINK_SHIM_H
#ifdef __linux__
#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#endif
#endif
