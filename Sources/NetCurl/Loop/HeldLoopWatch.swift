#if os(Linux)
internal import Glibc
internal import Synchronization

/// Shuts down a connection that blocks the loop.
///
/// libcurl 7.88 reads from an HTTP/2 connection as long as frames arrive, even frames without content: a server that
/// sends them without a pause keeps the loop inside libcurl, and timeouts, cancellation and other calls aren't
/// processed. A separate task therefore checks the loop once a second while HTTP/2 is in use.
final class HeldLoopWatch: Sendable {
    private let state = Mutex(HeldLoopStateMachine())

    /// Records that libcurl is about to be called and may read from a descriptor.
    func enter(_ descriptor: CInt) {
        if state.withLock({ $0.enter(descriptor) }) { begin() }
    }

    /// Records that libcurl has returned; returns true if the connection had to be shut down.
    func leave() -> Bool { state.withLock { $0.leave() } }

    /// Records that a descriptor is about to be closed. Must be called before its number can be reused.
    func closed(_ descriptor: CInt) { state.withLock { $0.closed(descriptor) } }

    private func begin() {
        Task.detached { [weak self] in
            while true {
                try? await Task.sleep(for: .seconds(1))
                guard self?.look() == true else { return }
            }
        }
    }

    /// Performs one check; returns false if the watch is over.
    private func look() -> Bool {
        state.withLock { state in
            switch state.look() {
            case .none: return true
            case .stopWatching: return false
            case .end(let descriptor):
                // Under the lock, so that the descriptor can't be closed in the meantime. libcurl still reads the bytes
                // that have already arrived.
                shutdown(descriptor, CInt(SHUT_RDWR))
                return true
            }
        }
    }
}
#endif
