internal import NetCore

/// The clock of an in-memory WebSocket, and the call that opened it, for its errors.
struct PairOrigin: Sendable {
    let clock: NetClock
    private let call: CallSummary?
    private let start: Duration

    /// Creates the origin of a WebSocket that no call has opened.
    init(_ clock: NetClock) {
        self.clock = clock
        call = nil
        start = clock.now()
    }

    init(_ context: CallContext) {
        clock = context.environment.clock
        call = context.summary
        start = context.start
    }

    func error(
        _ code: NetError.Code, phase: NetError.Phase, message: String, closure: WebSocketClosure? = nil
    ) -> NetError {
        NetError(code, phase: phase, message: message, call: call, elapsed: clock.now() - start, closure: closure)
    }
}
