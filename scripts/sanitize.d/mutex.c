// The slow paths of Synchronization.Mutex, as the thread sanitizer sees them.
//
// A mutex that is free is taken and released by atomic operations, which the compiler inlines into the package and the sanitizer sees.
// For a mutex that another thread holds, they call the standard library, which isn't instrumented, and the kernel passes the mutex on.
// Without these functions, each value that two threads access one after the other in this way would be reported as a race.
//
// The linker prefers these functions to those of the standard library. They call them, and inform the sanitizer of the order. If a
// later standard library names them differently, the self-test of scripts/sanitize fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Synchronization._MutexHandle._lockSlow(_: UInt32), _tryLockSlow() -> Bool and _unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

static SWIFT void (*library_lock)(uint32_t thread, SELF void *mutex);
static SWIFT bool (*library_try_lock)(SELF void *mutex);
static SWIFT void (*library_unlock)(SELF void *mutex);

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT bool try_lock(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);

__attribute__((constructor)) static void find_library_functions(void) {
    library_lock = dlsym(RTLD_NEXT, LOCK);
    library_try_lock = dlsym(RTLD_NEXT, TRY_LOCK);
    library_unlock = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock(uint32_t thread, SELF void *mutex) {
    library_lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool try_lock(SELF void *mutex) {
    bool locked = library_try_lock(mutex);
    if (locked) __tsan_acquire(mutex);
    return locked;
}

SWIFT void unlock(SELF void *mutex) {
    __tsan_release(mutex);
    library_unlock(mutex);
}
