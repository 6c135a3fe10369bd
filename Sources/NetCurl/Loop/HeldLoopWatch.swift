#if os(Linux)
internal import Glibc
internal import Synchronization

/// Ends a connection that holds its loop.
///
/// libcurl 7.88 reads from an HTTP/2 connection for as long as frames come, also such as bring nothing: a server that sends
/// them without a pause keeps the loop inside of libcurl, where no time-out, no cancelling and no other call has its turn.
/// So somebody else looks, once a second while there is HTTP/2.
final class HeldLoopWatch: Sendable {
    private let state = Mutex(HeldLoopStateMachine())

    /// libcurl is about to be called, and may read from that descriptor.
    func enter(_ descriptor: CInt) {
        if state.withLock({ $0.enter(descriptor) }) { begin() }
    }

    /// libcurl came back; whether the connection had to be ended for that.
    func leave() -> Bool { state.withLock { $0.leave() } }

    /// Before the number can stand for another.
    func closed(_ descriptor: CInt) { state.withLock { $0.closed(descriptor) } }

    private func begin() {
        Task.detached { [weak self] in
            while true {
                try? await Task.sleep(for: .seconds(1))
                guard self?.look() == true else { return }
            }
        }
    }

    /// False where there is nothing to look at any more.
    private func look() -> Bool {
        state.withLock { state in
            switch state.look() {
            case .none: return true
            case .stopWatching: return false
            case .end(let descriptor):
                // Under the lock: it cannot be closed meanwhile. What has come already is read to its end.
                shutdown(descriptor, CInt(SHUT_RDWR))
                return true
            }
        }
    }
}
#endif
