#ifndef NET_CFILES_SHIM_H
#define NET_CFILES_SHIM_H
#ifdef __linux__
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* renameat2 with RENAME_NOREPLACE, which the C library declares only for GNU sources. */
static inline int net_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, RENAME_NOREPLACE);
}
#endif
#endif
