package import NetCore

/// Creates the errors of an open WebSocket. They name the call that opened it; the call itself has ended and has been
/// released.
package struct SocketOrigin: Sendable {
    package let clock: NetClock
    private let call: CallSummary?
    private let start: Duration

    /// Creates the origin of a WebSocket that wasn't opened by a call.
    package init(_ clock: NetClock) {
        self.clock = clock
        call = nil
        start = clock.now()
    }

    package init(_ context: CallContext) {
        clock = context.environment.clock
        call = context.summary
        start = context.start
    }

    package func error(
        _ code: NetError.Code, phase: NetError.Phase, message: String, closure: WebSocketClosure? = nil
    ) -> NetError {
        NetError(code, phase: phase, message: message, call: call, elapsed: clock.now() - start, closure: closure)
    }

    /// Adds the call to an error that doesn't name one.
    package func completing(_ error: NetError) -> NetError {
        guard let call else { return error }
        return error.filling(call: call, elapsed: clock.now() - start)
    }

    // MARK: The ways to end

    /// The end by a closing handshake. The message omits the close reason, since it may contain data that was sent to
    /// the peer.
    package func closed(_ closure: WebSocketClosure, peer: String) -> NetError {
        error(
            .webSocketClosed, phase: .receiving,
            message: "the WebSocket was closed \(closure.isByPeer ? "by \(peer)" : "here"): \(closure.code)",
            closure: closure)
    }

    /// The end after a close frame of this side that the peer didn't confirm.
    package func unconfirmed(_ closure: WebSocketClosure, peer: String) -> NetError {
        error(
            .webSocketClosed, phase: .receiving,
            message: "the WebSocket was closed here with \(closure.code), which \(peer) didn't confirm",
            closure: closure.unconfirmed)
    }

    /// The end by a violation of the peer.
    package func violated(_ violation: WebSocketViolation) -> NetError {
        error(
            violation.code == .messageTooBig ? .bodyTooLarge : .protocolViolation, phase: .receiving,
            message: violation.message,
            closure: WebSocketClosure(code: violation.code, reason: violation.message).unconfirmed)
    }

    /// The end without a closing handshake.
    package func lost(_ message: String) -> NetError {
        error(
            .connectionLost, phase: .receiving, message: "\(message), without a closing handshake",
            closure: WebSocketClosure(code: .abnormalClosure, isByPeer: true))
    }

    /// Returns the message for a peer that has shown no sign of life.
    package static func silence(of peer: String, _ liveness: WebSocketLiveness) -> String {
        let (silence, grace) = (liveness.silence.seconds(places: 3), liveness.grace.seconds(places: 3))
        return "\(peer) was silent for \(silence) s and didn't respond to a ping within \(grace) s"
    }
}
