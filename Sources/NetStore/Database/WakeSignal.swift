#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Wakes one waiting thread. A signal raised before the wait ends that wait immediately: no wake-up is lost.
///
/// `@unchecked Sendable`: the flag is read and written only with the mutex locked.
final class WakeSignal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isRaised = false

    init() {
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
        pthread_cond_init(condition, nil)
        #else
        // Waits are measured as durations: the wall clock may jump.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Ends the current wait, or the next one.
    func raise() {
        pthread_mutex_lock(mutex)
        isRaised = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Blocks the thread until the signal is raised or the time has passed; nil waits forever.
    func wait(atMost limit: Duration? = nil) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let limit {
            var end = Self.deadline(after: limit)
            while !isRaised {
                if Self.wait(condition, mutex, until: &end) == ETIMEDOUT { break }
            }
        } else {
            while !isRaised { pthread_cond_wait(condition, mutex) }
        }
        isRaised = false
    }

    #if canImport(Darwin)
    private static func deadline(after limit: Duration) -> timespec {
        let (seconds, attoseconds) = limit.components
        return timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }

    private static func wait(
        _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
        until end: inout timespec
    ) -> Int32 {
        pthread_cond_timedwait_relative_np(condition, mutex, &end)
    }
    #else
    private static func deadline(after limit: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = limit.components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(min(seconds, 1 << 30)) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }

    private static func wait(
        _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
        until end: inout timespec
    ) -> Int32 {
        pthread_cond_timedwait(condition, mutex, &end)
    }
    #endif
}
