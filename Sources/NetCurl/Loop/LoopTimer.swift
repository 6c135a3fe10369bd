#if os(Linux)
internal import CCurl
internal import Glibc

/// The timer that ends the loop's sleep: a descriptor, so that a caller that takes a turn can set it while the loop
/// sleeps.
///
/// It's only moved to earlier times. Most deadlines are removed before they pass, so it sometimes fires without need;
/// moving it to later times would cost a system call for each deadline.
struct LoopTimer {
    let descriptor: CInt
    private var armed: UInt64 = .max

    /// Creates a timer; nil if the system has no descriptors left.
    init?(epoll: CInt) {
        descriptor = net_timer_make()
        guard descriptor >= 0 else { return nil }
        // Edge-triggered, so the number of expirations never has to be read.
        guard net_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue | EPOLLET.rawValue) == 0 else {
            close()
            return nil
        }
    }

    func close() { Glibc.close(descriptor) }

    /// Makes the timer fire at `deadline` at the latest, in nanoseconds of the monotonic clock; `.max` for never.
    mutating func fire(by deadline: UInt64, now: UInt64) {
        if armed <= now { armed = .max }
        guard deadline < armed else { return }
        armed = deadline
        net_timer_set(descriptor, deadline)
    }
}
#endif
