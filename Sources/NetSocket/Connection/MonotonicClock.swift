#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The system's monotonic clock, only for decisions about system calls. Times that users see come from the injected
/// clock.
enum MonotonicClock {
    /// Returns the nanoseconds since an arbitrary moment.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
