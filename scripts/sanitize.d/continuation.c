// Continuations that are resumed before their task waits, as the thread sanitizer sees them.
//
// The runtime informs the sanitizer if a task is suspended and scheduled again. A task whose continuation has already been resumed goes on
// without that: it only reads an atomic value, in code that isn't instrumented. Without these functions, each value that the resuming
// thread wrote for such a task would be reported as a race.
//
// The linker prefers these functions to those of the runtime. They call them, and inform the sanitizer of the order. If a later runtime
// names them differently, the self-test of scripts/sanitize fails. A continuation that is resumed in the moment between the two lines of
// swift_continuation_await is still not understood.
#define _GNU_SOURCE
#include <dlfcn.h>

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void *swift_task_getCurrent(void);

static SWIFT_ASYNC void (*runtime_await)(void *context);
static SWIFT void (*runtime_resume)(void *task);
static SWIFT void (*runtime_throwing_resume)(void *task);
static SWIFT void (*runtime_throwing_resume_with_error)(void *task, void *error);

__attribute__((constructor)) static void find_runtime_functions(void) {
    runtime_await = dlsym(RTLD_NEXT, "swift_continuation_await");
    runtime_resume = dlsym(RTLD_NEXT, "swift_continuation_resume");
    runtime_throwing_resume = dlsym(RTLD_NEXT, "swift_continuation_throwingResume");
    runtime_throwing_resume_with_error = dlsym(RTLD_NEXT, "swift_continuation_throwingResumeWithError");
}

SWIFT_ASYNC void swift_continuation_await(void *context) {
    __tsan_acquire(swift_task_getCurrent());
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
