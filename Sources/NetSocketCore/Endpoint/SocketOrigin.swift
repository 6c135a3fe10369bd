package import NetCore

/// The errors of an open WebSocket: they name the call that opened it, which itself has ended and is let go.
package struct SocketOrigin: Sendable {
    package let clock: NetClock
    private let call: CallSummary?
    private let start: Duration

    /// Creates the origin of a WebSocket that no call has opened.
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

    /// The end by a closing handshake. The reason isn't in the message, since it may hold what was sent to the peer.
    package func closed(_ closure: WebSocketClosure, peer: String) -> NetError {
        error(
            .webSocketClosed, phase: .receiving,
            message: "the WebSocket was closed \(closure.isByPeer ? "by \(peer)" : "here"): \(closure.code)",
            closure: closure)
    }

    /// The end by a violation of the peer.
    package func violated(_ violation: WebSocketViolation) -> NetError {
        error(
            violation.code == .messageTooBig ? .bodyTooLarge : .protocolViolation, phase: .receiving,
            message: violation.message,
            closure: WebSocketClosure(code: violation.code, reason: violation.message, isByPeer: false))
    }

    /// The end without a closing handshake.
    package func lost(_ message: String) -> NetError {
        error(
            .connectionLost, phase: .receiving, message: "\(message), without a closing handshake",
            closure: WebSocketClosure(code: .abnormalClosure, isByPeer: true))
    }

    /// What is said of a peer that has given no sign of life.
    package static func silence(of peer: String, _ liveness: WebSocketLiveness) -> String {
        let (silence, grace) = (liveness.silence.seconds(places: 3), liveness.grace.seconds(places: 3))
        return "\(peer) was silent for \(silence) s, and for \(grace) s after it was asked for a sign of life"
    }
}
