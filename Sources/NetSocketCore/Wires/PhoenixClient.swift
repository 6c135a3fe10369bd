/// A client's end of Phoenix channels.
///
/// | message read | meaning |
/// |---|---|
/// | `phx_reply` to the join | joined or refused |
/// | `phx_reply` to a leave | left |
/// | `phx_reply` of the topic `phoenix` | alive |
/// | another `phx_reply` | reply |
/// | `phx_close`, `phx_error` | left |
/// | a message of an earlier join | – |
/// | another event | push |
struct PhoenixClient: WireMachine {
    /// The current join of a channel.
    private struct Join {
        let ref: SocketID
        var isAnswered = false
    }

    private let version: PhoenixVersion
    private var joins: [String: Join] = [:]
    /// The leaves that have no reply yet, with the join that each of them ends.
    private var leaves: [SocketID: (topic: String, joinRef: SocketID?)] = [:]
    private var heartbeats = 0

    init(_ version: PhoenixVersion) {
        self.version = version
    }

    // MARK: Writing

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch signal {
        case .request(let request):
            let topic = try version.channel(request.topic, for: "requests")
            try version.check(topic, request.event)
            return [try message(request.id, topic, request.event, request.payload)]
        case .join(let join):
            guard join.position == nil else { throw version.unsupported("recovery of channels") }
            try version.check(join.topic)
            let message = PhoenixMessage(
                joinRef: join.id, ref: join.id, topic: join.topic, event: PhoenixMessage.join, join.payload)
            let written = try message.written(version, by: .client)
            joins[join.topic] = Join(ref: join.id)
            return [written]
        case .leave(let id, let topic):
            try version.check(topic)
            let written = try message(id, topic, PhoenixMessage.leave, nil)
            leaves[id] = (topic, joins[topic]?.ref)
            return [written]
        case .heartbeat(let id):
            // Only heartbeats have this topic, so their references can't be confused with those of requests.
            heartbeats += 1
            let ref = id ?? .text("hb-\(heartbeats)")
            return [try message(ref, PhoenixMessage.system, PhoenixMessage.heartbeat, nil)]
        case .open(nil), .end: return []
        case .open: throw version.unsupported("opening messages with a payload")
        case .cancel: throw version.unsupported("cancellation of requests")
        case .push: throw version.unsupported("pushes from a client")
        case .opened, .alive, .reply, .joined, .joinRefused, .left:
            throw version.unsupported("replies from a client")
        case .subscribe, .subscribed, .event, .completed, .unsubscribe: throw version.unsupported("subscriptions")
        case .resume, .resumed, .numbered, .acknowledge: throw version.unsupported("numbered messages")
        }
    }

    private func message(
        _ ref: SocketID?, _ topic: String, _ event: String, _ payload: SocketPayload?
    ) throws(NetError) -> WebSocketMessage {
        try PhoenixMessage(joinRef: joins[topic]?.ref, ref: ref, topic: topic, event: event, payload)
            .written(version, by: .client)
    }

    // MARK: Reading

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        let message = try PhoenixMessage(message, version, at: .client)
        let signal: WireSignal? =
            switch message.content {
            case .reply(let status, let response): answer(message, status, response)
            case .payload(let payload): event(message, payload)
            }
        return WireReading(signal.map { [$0] } ?? [])
    }

    private mutating func answer(_ message: PhoenixMessage, _ status: String, _ response: SocketPayload?) -> WireSignal?
    {
        let topic = message.topic
        guard topic != PhoenixMessage.system else { return .alive(message.ref) }
        guard let ref = message.ref else { return nil }
        let failure = status == "ok" ? nil : SocketFailure(phoenix: response)
        if let leave = leaves[ref], leave.topic == topic {
            leaves[ref] = nil
            if joins[topic]?.ref == leave.joinRef { joins[topic] = nil }
            return .left(ref, topic: topic, failure)
        }
        if let join = joins[topic], join.ref == ref {
            guard !join.isAnswered else { return nil }
            joins[topic] = failure == nil ? Join(ref: ref, isAnswered: true) : nil
            return failure.map { .joinRefused(ref, topic: topic, $0) }
                ?? .joined(WireJoined(id: ref, topic: topic, payload: response))
        }
        guard isCurrent(message.joinRef, of: topic) else { return nil }
        return .reply(WireReply(id: ref, topic: topic, failure.map { .failure($0) } ?? .success(response)))
    }

    private mutating func event(_ message: PhoenixMessage, _ payload: SocketPayload?) -> WireSignal? {
        let topic = message.topic
        switch message.event {
        case PhoenixMessage.close, PhoenixMessage.error:
            // In version 1, the reference of the join is only the message's own reference.
            guard joins[topic] != nil, isCurrent(message.joinRef ?? message.ref, of: topic) else { return nil }
            joins[topic] = nil
            let isClose = message.event == PhoenixMessage.close
            return .left(nil, topic: topic, isClose ? nil : SocketFailure(phoenix: payload, code: PhoenixMessage.error))
        default:
            guard isCurrent(message.joinRef, of: topic) else { return nil }
            return .push(WirePush(event: message.event, payload: payload, topic: topic))
        }
    }

    /// Returns true if a message belongs to the current join of its channel, or to no join, like broadcasts.
    private func isCurrent(_ joinRef: SocketID?, of topic: String) -> Bool {
        joinRef == nil || joinRef == joins[topic]?.ref
    }
}
