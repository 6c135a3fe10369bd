internal import NetCore
internal import Synchronization

/// Ends a call whose value is created from a body that's still arriving: once, by the conversion or by the body.
///
/// A body may end before the conversion does, and a conversion that throws drops the body.
final class StreamedCallEnd: Sendable {
    private enum State {
        /// The value is being created; the body may have ended in the meantime.
        case converting(BodyEnd?)
        /// The value has been returned: the call ends with the body.
        case handedOver
        case ended
    }

    private let state = Mutex(State.converting(nil))
    private let end: @Sendable (BodyEnd) -> Void

    init(_ end: @escaping @Sendable (BodyEnd) -> Void) {
        self.end = end
    }

    func bodyEnded(_ end: BodyEnd) {
        let isOver = state.withLock { state in
            switch state {
            case .converting:
                state = .converting(end)
                return false
            case .handedOver:
                state = .ended
                return true
            case .ended: return false
            }
        }
        if isOver { self.end(end) }
    }

    func converted() {
        let end: BodyEnd? = state.withLock { state in
            guard case .converting(let end) = state else { return nil }
            state = end == nil ? .handedOver : .ended
            return end
        }
        if let end { self.end(end) }
    }

    /// Ignores the end of the body from now on: the conversion threw, and its error ends the call.
    func conversionFailed() {
        state.withLock { $0 = .ended }
    }
}
