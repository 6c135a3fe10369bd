#if Server
internal import NetCore
internal import NetSocketCore

extension ConnectionMachine.Work {
    /// The client's ID of the work.
    var id: SocketID? {
        switch self {
        case .opening, .ask: nil
        case .authentication(let request), .command(let request): request.id
        case .subscription(let id, _): id
        case .join(let join): join.id
        }
    }

    /// The channel that the work belongs to.
    var topic: String? {
        switch self {
        case .command(let request): request.topic
        case .join(let join): join.topic
        case .ask(let topic): topic
        case .opening, .authentication, .subscription: nil
        }
    }

    /// The size of the data that is kept while the work waits, in bytes.
    var weight: Int {
        switch self {
        case .opening(let payload): payload?.count ?? 0
        case .authentication(let request), .command(let request): request.weight
        case .subscription(let id, let payload): id.weight + payload.count
        case .join(let join): join.weight
        case .ask(let topic): topic.utf8.count
        }
    }

    var isCommand: Bool { if case .command = self { true } else { false } }
    var isJoin: Bool { if case .join = self { true } else { false } }
    var isAsk: Bool { if case .ask = self { true } else { false } }
    var isSubscription: Bool { if case .subscription = self { true } else { false } }

    var isAuthentication: Bool {
        switch self {
        case .opening, .authentication: true
        case .command, .subscription, .join, .ask: false
        }
    }
}

extension SocketID {
    fileprivate var weight: Int { if case .text(let text) = self { text.utf8.count } else { 8 } }
}

extension WireJoin {
    fileprivate var weight: Int {
        id.weight + topic.utf8.count + (payload?.count ?? 0) + (position?.epoch.utf8.count ?? 0)
    }
}

extension WireSignal {
    /// The size of a client's signal, in bytes, while it is held: everything whose size the client chooses.
    var weight: Int {
        switch self {
        case .open(let payload): payload?.count ?? 0
        case .request(let request): request.weight
        case .join(let join): join.weight
        case .leave(let id, let topic): id.weight + topic.utf8.count
        case .subscribe(let id, let payload): id.weight + payload.count
        case .cancel(let id), .unsubscribe(let id): id.weight
        case .resume(let resume): resume.session.utf8.count + (resume.epoch?.utf8.count ?? 0)
        case .numbered(_, let signal): signal.weight
        default: size
        }
    }
}

extension WireRequest {
    fileprivate var weight: Int {
        (id?.weight ?? 0) + event.utf8.count + (payload?.count ?? 0) + (topic?.utf8.count ?? 0)
    }

    /// Returns the reply; nil for a request that expects none.
    func reply(_ outcome: ConnectionMachine.Outcome) -> WireReply? {
        guard let id else { return nil }
        switch outcome {
        case .done(let payload): return WireReply(id: id, event: event, topic: topic, .success(payload))
        case .failed(let failure): return WireReply(id: id, event: event, topic: topic, .failure(failure))
        case .joined: return nil
        }
    }
}

extension WebSocketCloseCode {
    /// Application close codes established by GraphQL's protocol.
    static let unauthorized = WebSocketCloseCode(rawValue: 4401)
    static let forbidden = WebSocketCloseCode(rawValue: 4403)
    static let openingTimeout = WebSocketCloseCode(rawValue: 4408)
    static let subscriberExists = WebSocketCloseCode(rawValue: 4409)
    static let openedTwice = WebSocketCloseCode(rawValue: 4429)
}
#endif
