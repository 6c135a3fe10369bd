package import NetCore

/// The end of a connection (RFC 6455 section 7): the closing handshake, violations, and TCP.
///
/// | state | we close | peer closes | violation | TCP ends | deadline |
/// |---|---|---|---|---|---|
/// | open | send close → closing | reply, end → closed | send close, end → closed | end, drop → gone | – |
/// | closing | – | end → closed | end, drop → gone | end, drop → gone | end, drop → gone |
/// | closed | – | – | – | drop → gone | drop → gone |
/// | gone | – | – | – | – | – |
///
/// "End" reports to receivers how the connection ended; "closed" waits for the server to close TCP (section 7.1.1).
package struct ClosingStateMachine {
    /// The end of a connection as reported to receivers.
    package enum Ending: Equatable {
        /// A closing handshake, begun by this side or by the peer.
        case closed(WebSocketClosure)
        /// This side's close frame, which the peer didn't confirm.
        case unconfirmed(WebSocketClosure)
        /// A protocol violation by the peer; its code is the one sent in the close frame.
        case violated(WebSocketViolation)
        /// TCP ended without a close frame.
        case lost(String)
    }

    package struct Action: Equatable {
        /// The close frame to send; nil to send none.
        package var closeFrame: WebSocketClosure?
        /// The end to report to receivers; nil to report none.
        package var ending: Ending?
        /// True if the connection must be dropped immediately.
        package var drops = false
    }

    private enum State {
        case open
        case closing(WebSocketClosure)
        case closed
        case gone
    }

    private var state = State.open

    package init() {}

    /// True while messages from the peer count: until either side closes.
    package var takesMessages: Bool { if case .open = state { true } else { false } }

    package mutating func closeRequested(_ closure: WebSocketClosure) -> Action {
        guard case .open = state else { return Action() }
        state = .closing(closure)
        return Action(closeFrame: closure)
    }

    package mutating func receivedClose(_ code: WebSocketCloseCode, reason: String) -> Action {
        switch state {
        case .open:
            state = .closed
            let closure = WebSocketClosure(code: code, reason: reason, isByPeer: true)
            return Action(
                closeFrame: WebSocketClosure(code: code, isByPeer: true), ending: .closed(closure))
        case .closing(let closure):
            state = .closed
            return Action(ending: .closed(closure))
        case .closed, .gone:
            return Action()
        }
    }

    package mutating func violated(_ violation: WebSocketViolation) -> Action {
        switch state {
        case .open:
            state = .closed
            let closure = WebSocketClosure(code: violation.code, reason: violation.message, isByPeer: false)
            return Action(closeFrame: closure, ending: .violated(violation))
        case .closing(let closure):
            state = .gone
            return Action(ending: .unconfirmed(closure), drops: true)
        case .closed, .gone:
            return Action()
        }
    }

    package mutating func transportEnded(_ message: String) -> Action {
        defer { state = .gone }
        switch state {
        case .open: return Action(ending: .lost(message), drops: true)
        case .closing(let closure): return Action(ending: .unconfirmed(closure), drops: true)
        case .closed: return Action(drops: true)
        case .gone: return Action()
        }
    }

    package mutating func deadlinePassed() -> Action {
        switch state {
        case .open: return Action()
        case .closing, .closed, .gone: return transportEnded("")
        }
    }
}
