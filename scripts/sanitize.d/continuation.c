// Continuations that are resumed before their task waits, as the thread sanitizer sees them.
//
// The runtime informs the sanitizer if a task is suspended and scheduled again. A task whose continuation has already been resumed goes on
// without that: it only reads an atomic value, in code that isn't instrumented. Without these functions, each value that the resuming
// thread wrote for such a task would be reported as a race.
//
// The linker prefers these functions to those of the runtime. They call them, and inform the sanitizer of the order: before the continuation
// is resumed, and at the place where its task goes on, for which they put a function of their own into the continuation's context. If a later
// runtime names them differently, the self-test of scripts/sanitize fails.
//
// CheckedContinuation and AsyncStream are code of the runtime's own library, which calls its functions directly, so that no other program
// can replace them there. Their tasks are seldom resumed before they wait; thread.supp lists what was reported nevertheless.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
// The table of contexts must not look to the sanitizer as if it ordered the tasks that use it.
#define UNSEEN __attribute__((no_sanitize("thread")))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void *swift_task_getCurrent(void);

typedef SWIFT_ASYNC void go_on(__attribute__((swift_async_context)) void *context);

// The beginning of each asynchronous context (swift/ABI/Task.h).
struct context {
    void *parent;
    go_on *go_on;
};

static SWIFT_ASYNC void (*runtime_await)(struct context *context);
static SWIFT void (*runtime_resume)(void *task);
static SWIFT void (*runtime_throwing_resume)(void *task);
static SWIFT void (*runtime_throwing_resume_with_error)(void *task, void *error);

__attribute__((constructor)) static void find_runtime_functions(void) {
    runtime_await = dlsym(RTLD_NEXT, "swift_continuation_await");
    runtime_resume = dlsym(RTLD_NEXT, "swift_continuation_resume");
    runtime_throwing_resume = dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
    runtime_throwing_resume_with_error = dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError");
}

// The places where tasks go on, by context. An entry stays, and is used again for another context at the same address.
enum { places = 1 << 16, looks = 64 };
static struct {
    _Atomic(void *) context;
    _Atomic(go_on *) go_on;
} table[places];

// Returns the context's entry, a new one if it has none; -1 if the neighborhood is full.
UNSEEN static int entry(void *context) {
    size_t place = (size_t)(((uint64_t)(uintptr_t)context * 0x9E3779B97F4A7C15u) >> 48);
    for (int look = 0; look < looks; look++, place = (place + 1) % places) {
        void *seen = NULL;
        // Only the context's own task looks for it.
        if (atomic_compare_exchange_strong(&table[place].context, &seen, context) || seen == context) return (int)place;
    }
    return -1;
}

UNSEEN static SWIFT_ASYNC void acquire_and_go_on(__attribute__((swift_async_context)) void *context) {
    __tsan_acquire(swift_task_getCurrent());
    __attribute__((musttail)) return atomic_load(&table[entry(context)].go_on)(context);
}

// A task that is really suspended goes on without the function in its context.
UNSEEN SWIFT_ASYNC void swift_continuation_await(struct context *context) {
    int place = entry(context);
    if (place >= 0) {
        atomic_store(&table[place].go_on, context->go_on);
        context->go_on = acquire_and_go_on;
    }
    __attribute__((musttail)) return runtime_await(context);
}

SWIFT void swift_continuation_resume(void *task) {
    __tsan_release(task);
    runtime_resume(task);
}

SWIFT void swift_continuation_throwingResume(void *task) {
    __tsan_release(task);
    runtime_throwing_resume(task);
}

SWIFT void swift_continuation_throwingResumeWithError(void *task, void *error) {
    __tsan_release(task);
    runtime_throwing_resume_with_error(task, error);
}
