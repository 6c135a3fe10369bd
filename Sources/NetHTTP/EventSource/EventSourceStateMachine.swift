internal import NetCompression
internal import NetCore

/// Where an event source stands, and what it does next (HTML Standard section 9.2). Pure: time and random numbers are
/// arguments.
///
/// | event | connecting | waiting | open | closed |
/// |---|---|---|---|---|
/// | `begin` | – | – | – | connect |
/// | `waitIsOver` | – | connect | – | – |
/// | `responded` | read, end (204), or fail (no event stream) | – | – | – |
/// | `streamEnded` | – | – | wait; end where nothing is repeated | – |
/// | `failed` | wait or fail | fail | wait or fail; it breaks in more ways | – |
/// | `closed` | end | end | end | – |
struct EventSourceStateMachine: Sendable {
    /// What the driver does.
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

    /// What the answer to a connect was.
    struct Answer: Sendable {
        var status: Int
        var contentType: String?
    }

    private let policy: EventSource.Configuration
    /// Whether the request may be sent again.
    private let isRepeatable: Bool
    private var state = State.closed
    /// Attempts that failed one after another.
    private var failures = 0
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
        failures = 0
        return connect()
    }

    mutating func waitIsOver() -> Action {
        guard state == .waiting else { return .none }
        return connect()
    }

    mutating func responded(_ answer: Answer) -> Action {
        guard state == .connecting else { return .none }
        // The server asks for no more connections.
        if answer.status == 204 { return close(.end) }
        guard let type = answer.contentType.flatMap(MediaType.received), type.type == "text",
            type.subtype == "event-stream"
        else {
            return close(.fail(Self.noEventStream(answer.contentType)))
        }
        state = .open
        failures = 0
        return .read
    }

    /// What the stream has set so far.
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

    /// `retryAfter` is what the answer asked for.
    mutating func failed(_ error: NetError, retryAfter: Duration?, random: Double) -> Action {
        guard state != .closed else { return .none }
        failures += 1
        guard isRepeatable, policy.reconnect.allows(failures: failures), mayPass(error) else {
            return close(.fail(error))
        }
        var wait = reconnectionTime
        // The server's own time for the first attempt; what follows spreads out beyond it.
        if failures > 1 { wait += policy.reconnect.backoff.delay(afterAttempt: failures - 1, random: random) }
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
        // What breaks an answer that has begun is an error of the network, also where it comes together with the head; one
        // that does not begin as HTTP or TLS says that no other comes.
        case .protocolViolation, .invalidFraming, .headersTooLarge, .tls: state == .open || error.phase == .receiving
        // Another end that a connection may have, where the length of the body is not known.
        case .decoding: error.underlying as? CodingFailure == .truncated
        case .unacceptableStatus: error.status.map(policy.reconnect.repeats) ?? false
        default: false
        }
    }

    private static func noEventStream(_ contentType: String?) -> NetError {
        NetError(
            .decoding, phase: .validating,
            message: "the answer is no event stream: its content type is \(contentType ?? "missing"), not "
                + "text/event-stream")
    }
}
