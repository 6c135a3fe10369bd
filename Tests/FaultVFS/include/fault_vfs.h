#ifndef NET_FAULT_VFS_H
#define NET_FAULT_VFS_H

/// The kinds of faults.
enum net_fault_kind {
    /// Any call fails with an I/O error.
    NET_FAULT_IO = 1,
    /// A write stores only its first half: the disk is full.
    NET_FAULT_FULL = 2,
    /// A flush to the disk fails.
    NET_FAULT_SYNC = 3,
    /// A lock isn't granted.
    NET_FAULT_LOCK = 4,
};

/// A SQLite file system that fails on demand, and otherwise behaves like the default one.
typedef struct net_fault net_fault;

/// Creates a file system and registers it under this name; NULL if out of memory.
net_fault *net_fault_new(const char *name);

/// Unregisters and frees the file system. It must not have any open files.
void net_fault_free(net_fault *fault);

/// Makes the call with this number fail, counted from 1 among the calls that the kind affects; with `forever`, all later
/// ones, too. With number 0, none fails.
void net_fault_arm(net_fault *fault, enum net_fault_kind kind, int number, int forever);

/// Returns the number of calls since the last `net_fault_arm` that the kind affects.
int net_fault_count(net_fault *fault);

/// Returns 1 if a call has failed since the last `net_fault_arm`.
int net_fault_has_failed(net_fault *fault);

/// Starts to record events in their order: `w` for a write to a file, `s` for a flush that has returned. Clears earlier notes.
void net_fault_note(net_fault *fault);

/// Adds a note chosen by the caller.
void net_fault_mark(net_fault *fault, char note);

/// Copies the notes, terminated by a NUL; returns their number.
int net_fault_notes(net_fault *fault, char *buffer, int size);

/// With 1, makes each flush wait until this function is called with 0.
void net_fault_hold(net_fault *fault, int holds);

/// Returns the number of waiting flushes.
int net_fault_held(net_fault *fault);

#endif
