#include "fault_vfs.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { note_capacity = 1 << 16 };

struct net_fault {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    atomic_int kind, number, forever, count, failed, notes_on, note_count, holds, held;
    char notes[note_capacity];
    char name[64];
};

typedef struct {
    sqlite3_file base;
    net_fault *fault;
    // The file of the default file system follows.
} fault_file;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((fault_file *)file + 1); }

// Counts the call if the armed kind affects it. Returns that kind if the call has to fail, otherwise 0.
static int fails(net_fault *fault, int kind) {
    int armed = fault->kind;
    if (armed == 0 || (armed != NET_FAULT_IO && armed != kind)) return 0;
    int number = fault->number, count = ++fault->count;
    if (number == 0 || count < number || (count > number && !fault->forever)) return 0;
    fault->failed = 1;
    return armed;
}

static void note(net_fault *fault, char text) {
    if (!fault->notes_on) return;
    int index = fault->note_count++;
    if (index < note_capacity) fault->notes[index] = text;
}

static int fails_file(sqlite3_file *file, int kind) { return fails(((fault_file *)file)->fault, kind); }

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    if (fails_file(file, 0)) return SQLITE_IOERR_READ;
    return real(file)->pMethods->xRead(real(file), buffer, count, offset);
}

static int file_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
    note(((fault_file *)file)->fault, 'w');
    switch (fails_file(file, NET_FAULT_FULL)) {
    case 0: return real(file)->pMethods->xWrite(real(file), buffer, count, offset);
    case NET_FAULT_FULL:
        real(file)->pMethods->xWrite(real(file), buffer, count / 2, offset);
        return SQLITE_FULL;
    default: return SQLITE_IOERR_WRITE;
    }
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails_file(file, 0)) return SQLITE_IOERR_TRUNCATE;
    return real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    net_fault *fault = ((fault_file *)file)->fault;
    fault->held++;
    while (fault->holds) usleep(200);
    fault->held--;
    if (fails_file(file, NET_FAULT_SYNC)) return SQLITE_IOERR_FSYNC;
    int code = real(file)->pMethods->xSync(real(file), flags);
    note(fault, 's');
    return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    if (fails_file(file, 0)) return SQLITE_IOERR_FSTAT;
    return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int lock) {
    int fault = fails_file(file, NET_FAULT_LOCK);
    if (fault) return fault == NET_FAULT_LOCK ? SQLITE_BUSY : SQLITE_IOERR_LOCK;
    return real(file)->pMethods->xLock(real(file), lock);
}

static int file_unlock(sqlite3_file *file, int lock) { return real(file)->pMethods->xUnlock(real(file), lock); }

static int file_check_lock(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int file_device(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

static int file_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
    if (fails_file(file, 0)) return SQLITE_IOERR_SHMMAP;
    return real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}

static int file_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    if (flags & SQLITE_SHM_LOCK) {
        // Only exclusive locks are refused: for a shared lock, SQLite would try again for ten seconds.
        int fault = fails_file(file, flags & SQLITE_SHM_EXCLUSIVE ? NET_FAULT_LOCK : 0);
        if (fault) return fault == NET_FAULT_LOCK ? SQLITE_BUSY : SQLITE_IOERR_SHMLOCK;
    }
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int file_unmap(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_device,
    .xShmMap = file_map,
    .xShmLock = file_shared_lock,
    .xShmBarrier = file_barrier,
    .xShmUnmap = file_unmap,
};

static net_fault *fault_of(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *result) {
    net_fault *fault = fault_of(vfs);
    file->pMethods = NULL;
    if (fails(fault, 0)) return SQLITE_CANTOPEN;
    int code = fault->real->xOpen(fault->real, name, real(file), flags, result);
    if (code != SQLITE_OK) return code;
    ((fault_file *)file)->fault = fault;
    file->pMethods = &methods;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    if (fails(fault_of(vfs), 0)) return SQLITE_IOERR_DELETE;
    return fault_of(vfs)->real->xDelete(fault_of(vfs)->real, name, syncs);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    if (fails(fault_of(vfs), 0)) return SQLITE_IOERR_ACCESS;
    return fault_of(vfs)->real->xAccess(fault_of(vfs)->real, name, flags, result);
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int size, char *path) {
    return fault_of(vfs)->real->xFullPathname(fault_of(vfs)->real, name, size, path);
}

net_fault *net_fault_new(const char *name) {
    net_fault *fault = calloc(1, sizeof *fault);
    if (!fault) return NULL;
    fault->real = sqlite3_vfs_find(NULL);
    fault->vfs = *fault->real;
    strncpy(fault->name, name, sizeof fault->name - 1);
    fault->vfs.pNext = NULL;
    fault->vfs.zName = fault->name;
    fault->vfs.pAppData = fault;
    fault->vfs.szOsFile = (int)sizeof(fault_file) + fault->real->szOsFile;
    fault->vfs.xOpen = vfs_open;
    fault->vfs.xDelete = vfs_delete;
    fault->vfs.xAccess = vfs_access;
    fault->vfs.xFullPathname = vfs_path;
    if (sqlite3_vfs_register(&fault->vfs, 0) == SQLITE_OK) return fault;
    free(fault);
    return NULL;
}

void net_fault_free(net_fault *fault) {
    sqlite3_vfs_unregister(&fault->vfs);
    free(fault);
}

void net_fault_arm(net_fault *fault, enum net_fault_kind kind, int number, int forever) {
    fault->kind = 0;
    fault->number = number;
    fault->forever = forever;
    fault->count = 0;
    fault->failed = 0;
    fault->kind = kind;
}

int net_fault_count(net_fault *fault) { return fault->count; }

int net_fault_has_failed(net_fault *fault) { return fault->failed; }

void net_fault_note(net_fault *fault) {
    fault->notes_on = 0;
    memset(fault->notes, 0, sizeof fault->notes);
    fault->note_count = 0;
    fault->notes_on = 1;
}

void net_fault_mark(net_fault *fault, char text) { note(fault, text); }

int net_fault_notes(net_fault *fault, char *buffer, int size) {
    int count = fault->note_count;
    if (count > note_capacity) count = note_capacity;
    if (count > size - 1) count = size - 1;
    memcpy(buffer, fault->notes, count);
    buffer[count] = 0;
    return count;
}

void net_fault_hold(net_fault *fault, int holds) { fault->holds = holds; }

int net_fault_held(net_fault *fault) { return fault->held; }
