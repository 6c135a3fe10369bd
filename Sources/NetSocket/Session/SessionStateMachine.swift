internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The state of a session. `next` returns the next step of its reader; the other functions record events.
///
/// | state | next | connected | failed | waited | reconnect | close |
/// |---|---|---|---|---|---|---|
/// | idle | connect | – | – | – | – | ended |
/// | connecting | connect | open | waiting or ended | – | idle, cancel | ended, cancel |
/// | open | receive | – | waiting or ended | – | restarting, close it | ended, close it |
/// | restarting | receive | – | idle | – | – | ended |
/// | waiting | wait | – | – | idle | idle, cancel | ended, cancel |
/// | ended | end | refused | – | – | – | – |
struct SessionStateMachine {
    enum Step {
        case emit(WebSocketSession.Event)
        case connect
        case wait(Duration)
        case receive(WebSocketConnection)
        case end(NetError?)
    }

    private enum State {
        case idle
        case connecting
        case open(WebSocketConnection, since: Duration)
        case restarting(WebSocketConnection)
        case waiting(Duration)
        case ended(NetError?)
    }

    private let policy: ReconnectPolicy
    private var state = State.idle
    /// The events to emit before the next step; at most two.
    private var events: [WebSocketSession.Event] = []
    /// The number of consecutive failures.
    private var failures = 0
    /// Cancels the operation that the reader waits for.
    private var cancel: (@Sendable () -> Void)?

    init(policy: ReconnectPolicy) {
        self.policy = policy
    }

    /// The connection that messages are sent on; nil if none is open.
    var connection: WebSocketConnection? {
        if case .open(let connection, _) = state { connection } else { nil }
    }

    var hasEnded: Bool { if case .ended = state { true } else { false } }

    mutating func next() -> Step {
        if !events.isEmpty { return .emit(events.removeFirst()) }
        switch state {
        case .idle, .connecting:
            state = .connecting
            return .connect
        case .open(let connection, _), .restarting(let connection): return .receive(connection)
        case .waiting(let duration): return .wait(duration)
        case .ended(let error): return .end(error)
        }
    }

    /// Records that the reader begins to wait for an operation. Returns true if the operation is no longer wanted.
    mutating func began(cancel: @escaping @Sendable () -> Void) -> Bool {
        self.cancel = cancel
        switch state {
        case .connecting, .waiting: return false
        default: return true
        }
    }

    /// Records that the connection is open. Returns false if it came too late.
    mutating func connected(_ connection: WebSocketConnection, now: Duration) -> Bool {
        cancel = nil
        guard case .connecting = state else { return false }
        state = .open(connection, since: now)
        events.append(.connected(subprotocol: connection.subprotocol))
        return true
    }

    mutating func failed(_ error: NetError, now: Duration, date: Date, random: Double) {
        cancel = nil
        switch state {
        case .connecting: break
        case .open(_, let since): if now - since >= policy.stablePeriod { failures = 0 }
        case .restarting:
            state = .idle
            events.append(.disconnected(error))
            return
        case .idle, .waiting, .ended: return
        }
        failures += 1
        events.append(.disconnected(error))
        switch ReconnectDecision.decide(error, failures: failures, policy: policy, date: date, random: random) {
        case .stop, .renewCredential:
            let isNormal = error.code == .webSocketClosed && error.closure?.code == .normalClosure
            state = .ended(isNormal ? nil : error)
        case .retry(let wait):
            state = .waiting(wait)
            events.append(.reconnecting(attempt: failures, after: wait))
        }
    }

    mutating func waited() {
        cancel = nil
        if case .waiting = state { state = .idle }
    }

    /// Records that the reader's task was cancelled while it was connecting. The next reader starts again.
    mutating func interrupted() {
        cancel = nil
        if case .connecting = state { state = .idle }
    }

    mutating func reconnectRequested() -> (WebSocketConnection?, (@Sendable () -> Void)?) {
        switch state {
        case .connecting, .waiting:
            state = .idle
            failures = 0
            return (nil, cancel.take())
        case .open(let connection, _):
            state = .restarting(connection)
            failures = 0
            return (connection, nil)
        case .idle, .restarting, .ended:
            return (nil, nil)
        }
    }

    mutating func closeRequested() -> (WebSocketConnection?, (@Sendable () -> Void)?) {
        defer { if !hasEnded { state = .ended(nil) } }
        switch state {
        case .open(let connection, _), .restarting(let connection): return (connection, nil)
        case .idle, .connecting, .waiting: return (nil, cancel.take())
        case .ended: return (nil, nil)
        }
    }
}
