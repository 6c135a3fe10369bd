#ifndef NET_FAULT_VFS_H
#define NET_FAULT_VFS_H

/// What a file system does wrong.
enum net_fault_kind {
    /// Any call fails with an error of input or output.
    NET_FAULT_IO = 1,
    /// A write stores only its first half: the disk is full.
    NET_FAULT_FULL = 2,
    /// A flush to the disk fails.
    NET_FAULT_SYNC = 3,
    /// A lock isn't given.
    NET_FAULT_LOCK = 4,
};

/// A file system that fails on demand, and otherwise is the default one.
typedef struct net_fault net_fault;

/// Makes and registers one under this name; null if memory runs out.
net_fault *net_fault_new(const char *name);

/// Unregisters it. No file may be open in it.
void net_fault_free(net_fault *fault);

/// Lets the call with this number fail, counted from 1 among the calls that the kind concerns; with `forever`, all later
/// ones too. Number 0 lets none fail.
void net_fault_arm(net_fault *fault, enum net_fault_kind kind, int number, int forever);

/// The number of calls since it was armed that the kind concerns.
int net_fault_count(net_fault *fault);

/// Whether a call has failed since it was armed.
int net_fault_has_failed(net_fault *fault);

/// Notes what happens from now on, in order: `w` for a write to a file, `s` for a flush that has returned. Forgets earlier notes.
void net_fault_note(net_fault *fault);

/// Adds a note of the caller's.
void net_fault_mark(net_fault *fault, char note);

/// Copies the notes, ended by a NUL; returns their number.
int net_fault_notes(net_fault *fault, char *buffer, int size);

/// With 1, each flush waits until it's called with 0.
void net_fault_hold(net_fault *fault, int holds);

/// The number of flushes that wait.
int net_fault_held(net_fault *fault);

#endif
