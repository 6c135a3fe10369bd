internal import NetCompression
internal import NetCore

/// The state of an event source (HTML Standard section 9.2); a pure value.
///
/// | event | connecting | waiting | open | closed |
/// |---|---|---|---|---|
/// | `begin` | – | – | – | connect |
/// | `waitIsOver` | – | connect | – | – |
/// | `responded` | read, end (204), or fail (no event stream) | – | – | – |
/// | `streamEnded` | – | – | wait, or end if the request may not be sent again | – |
/// | `failed` | wait or fail | fail | wait or fail; more errors are temporary | – |
/// | `closed` | end | end | end | – |
struct EventSourceStateMachine: Sendable {
    /// The next step of the driver.
    enum Action: Sendable {
        case connect(lastEventID: String)
        case wait(Duration)
        case read
        case end
        case fail(NetError)
        case none
    }

    private enum State: Equatable {
        case connecting, waiting, open, closed
    }

    /// The response to a connection attempt.
    struct Answer: Sendable {
        var status: Int
        var contentType: String?
    }

    private let policy: EventSource.Configuration
    /// True if the request may be sent again.
    private let isRepeatable: Bool
    private var state = State.closed
    /// The number of consecutive failed attempts.
    private var failures = 0
    /// The number of waits since a stream began.
    private var waits = 0
    private(set) var reconnectionTime: Duration
    private(set) var lastEventID: String

    init(_ policy: EventSource.Configuration, isRepeatable: Bool) {
        self.policy = policy
        self.isRepeatable = isRepeatable
        reconnectionTime = policy.reconnectionTime
        lastEventID = policy.lastEventID
    }

    var readyState: EventSource.ReadyState {
        switch state {
        case .connecting, .waiting: .connecting
        case .open: .open
        case .closed: .closed
        }
    }

    mutating func begin() -> Action {
        guard state == .closed else { return .none }
        (failures, waits) = (0, 0)
        return connect()
    }

    mutating func waitIsOver() -> Action {
        guard state == .waiting else { return .none }
        return connect()
    }

    mutating func responded(_ answer: Answer) -> Action {
        guard state == .connecting else { return .none }
        // 204 instructs clients to stop reconnecting.
        if answer.status == 204 { return close(.end) }
        guard let type = answer.contentType.flatMap(MediaType.received), type.type == "text",
            type.subtype == "event-stream"
        else {
            return close(.fail(Self.noEventStream(answer.contentType)))
        }
        state = .open
        (failures, waits) = (0, 0)
        return .read
    }

    /// Keeps the values set by the stream.
    mutating func received(lastEventID: String, reconnectionTime: Duration?) {
        self.lastEventID = lastEventID
        if let reconnectionTime { self.reconnectionTime = min(reconnectionTime, policy.maximumReconnectionTime) }
    }

    mutating func streamEnded() -> Action {
        guard state == .open else { return .none }
        guard isRepeatable, policy.reconnect.maximumAttempts != 0 else { return close(.end) }
        state = .waiting
        return .wait(reconnectionTime)
    }

    /// - Parameter retryAfter: The response's `Retry-After`; nil if there was none.
    mutating func failed(_ error: NetError, retryAfter: Duration?, random: Double) -> Action {
        guard state != .closed else { return .none }
        if state != .open { failures += 1 }
        waits += 1
        guard isRepeatable, policy.reconnect.allows(failures: failures), mayPass(error) else {
            return close(.fail(error))
        }
        var wait = reconnectionTime
        // The first attempt waits for the time set by the server; later ones are spread out beyond it.
        if waits > 1 { wait += policy.reconnect.backoff.delay(afterAttempt: waits - 1, random: random) }
        guard let wait = policy.reconnect.wait(wait, retryAfter: retryAfter) else { return close(.fail(error)) }
        state = .waiting
        return .wait(wait)
    }

    mutating func closed() -> Action { state == .closed ? .none : close(.end) }

    private mutating func connect() -> Action {
        state = .connecting
        return .connect(lastEventID: lastEventID)
    }

    private mutating func close(_ action: Action) -> Action {
        state = .closed
        return action
    }

    private func mayPass(_ error: NetError) -> Bool {
        switch error.code {
        case .dns, .connect, .connectionLost, .timeout: true
        // After a response has begun, these are network errors, even together with the head. Before, they mean that
        // the server doesn't speak HTTP or TLS.
        case .protocolViolation, .invalidFraming, .headersTooLarge, .tls: state == .open || error.phase == .receiving
        // A lost connection, if the length of the body is unknown.
        case .decoding: error.underlying as? CodingFailure == .truncated
        case .unacceptableStatus: error.status.map(policy.reconnect.repeats) ?? false
        default: false
        }
    }

    private static func noEventStream(_ contentType: String?) -> NetError {
        NetError(
            .decoding, phase: .validating,
            message: "the response isn't an event stream: its content type is \(contentType ?? "missing"), not "
                + "text/event-stream")
    }
}
