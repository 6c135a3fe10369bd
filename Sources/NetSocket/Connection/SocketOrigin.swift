#if os(Linux)
internal import NetCore

/// What the errors of an open WebSocket say about the call that opened it, which itself has ended and is let go.
struct SocketOrigin: Sendable {
    let clock: NetClock
    private let call: CallSummary
    private let start: Duration

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

    /// Adds the call to an error that doesn't name one.
    func completing(_ error: NetError) -> NetError { error.filling(call: call, elapsed: clock.now() - start) }
}
#endif
