#if os(Linux)
internal import CCurl
internal import Glibc

/// The timer that ends the loop's sleep: a descriptor, so that a caller who takes a turn can set it while the loop sleeps.
///
/// It is moved forward only. Deadlines mostly end before they pass, so it fires once in a while for nothing, where
/// moving it back would be a system call for each of them.
struct LoopTimer {
    let descriptor: CInt
    private var armed: UInt64 = .max

    /// nil when the system has no descriptors left.
    init?(epoll: CInt) {
        descriptor = net_timer_make()
        guard descriptor >= 0 else { return nil }
        // Edge-triggered: how often it fired need never be read back.
        guard net_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue | EPOLLET.rawValue) == 0 else {
            close()
            return nil
        }
    }

    func close() { Glibc.close(descriptor) }

    /// Fires at `deadline` at the latest, in nanoseconds of the monotonic clock; `.max` for never.
    mutating func fire(by deadline: UInt64, now: UInt64) {
        if armed <= now { armed = .max }
        guard deadline < armed else { return }
        armed = deadline
        net_timer_set(descriptor, deadline)
    }
}
#endif
