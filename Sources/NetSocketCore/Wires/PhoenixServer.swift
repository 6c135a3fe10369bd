/// A server's end of Phoenix channels.
///
/// | message read | meaning |
/// |---|---|
/// | `heartbeat` of the topic `phoenix` | heartbeat, with a response |
/// | another event of the topic `phoenix` | –, with an error as the response |
/// | `phx_join` | join |
/// | `phx_leave` | leave |
/// | a message of an earlier join | – |
/// | another event | request, without a reply if it has no `ref` |
struct PhoenixServer: WireMachine {
    /// The maximum number of unreplied joins that are remembered, since a client could fill the memory with them.
    private static let maximumJoins = 1000

    private let version: PhoenixVersion
    /// The references of the accepted joins, by topic.
    private var joins: [String: SocketID] = [:]
    /// The joins that have no reply yet. Some clients count the references of joins and of messages separately.
    private var asked: [SocketID: (topic: String, joinRef: SocketID)] = [:]

    init(_ version: PhoenixVersion) {
        self.version = version
    }

    // MARK: Writing

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch signal {
        case .reply(let reply):
            let topic = try version.channel(reply.topic, for: "replies")
            try version.check(topic)
            return [try self.reply(reply.id, topic, joins[topic], reply.outcome)]
        case .push(let push):
            let topic = try version.channel(push.topic, for: "pushes")
            try version.check(topic, push.event)
            return [try message(nil, topic, push.event, push.payload)]
        case .joined(let joined):
            try version.check(joined.topic)
            let joinRef = asked[joined.id]?.joinRef ?? joined.id
            let written = try reply(joined.id, joined.topic, joinRef, .success(joined.payload))
            joins[joined.topic] = joinRef
            asked[joined.id] = nil
            return [written]
        case .joinRefused(let id, let topic, let failure):
            try version.check(topic)
            let written = try reply(id, topic, asked[id]?.joinRef ?? id, .failure(failure))
            // A client that joins again has abandoned its earlier join.
            joins[topic] = nil
            asked[id] = nil
            return [written]
        case .left(let id, let topic, let failure):
            try version.check(topic)
            let written: WebSocketMessage
            if let id {
                written = try reply(id, topic, joins[topic], failure.map { .failure($0) } ?? .success(nil))
            } else if let failure {
                let payload = try failure.phoenixPayload(plain: PhoenixMessage.error, version)
                written = try message(joins[topic], topic, PhoenixMessage.error, payload)
            } else {
                written = try message(joins[topic], topic, PhoenixMessage.close, nil)
            }
            joins[topic] = nil
            return [written]
        case .alive(let id): return [try reply(id, PhoenixMessage.system, nil, .success(nil))]
        case .end: return []
        case .opened(let opened):
            guard opened.payload == nil else { throw version.unsupported("opening messages with a payload") }
            return []
        case .cancel: throw version.unsupported("cancellation of requests")
        case .heartbeat: throw version.unsupported("heartbeats from a server")
        case .open, .request, .join, .leave: throw version.unsupported("requests from a server")
        case .subscribe, .subscribed, .event, .completed, .unsubscribe: throw version.unsupported("subscriptions")
        case .resume, .resumed, .numbered, .acknowledge: throw version.unsupported("numbered messages")
        }
    }

    private func message(
        _ ref: SocketID?, _ topic: String, _ event: String, _ payload: SocketPayload?
    ) throws(NetError) -> WebSocketMessage {
        try PhoenixMessage(joinRef: joins[topic], ref: ref, topic: topic, event: event, payload)
            .written(version, by: .server)
    }

    private func reply(
        _ ref: SocketID?, _ topic: String, _ joinRef: SocketID?, _ outcome: WireReply.Outcome
    ) throws(NetError) -> WebSocketMessage {
        let (status, response): (String, SocketPayload?)
        switch outcome {
        case .success(let payload): (status, response) = ("ok", payload)
        case .failure(let failure): (status, response) = ("error", try failure.phoenixPayload(version))
        }
        return try PhoenixMessage(joinRef: joinRef, ref: ref, topic: topic, status: status, response)
            .written(version, by: .server)
    }

    // MARK: Reading

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        let read = try PhoenixMessage(message, version, at: .server)
        let topic = read.topic
        switch read.event {
        case PhoenixMessage.heartbeat where topic == PhoenixMessage.system:
            return WireReading([.heartbeat(read.ref)], responses: try encode(.alive(read.ref)))
        case _ where topic == PhoenixMessage.system:
            let refusal = SocketPayload(json: "{\"reason\":\"unmatched topic\"}")
            let answer = PhoenixMessage(joinRef: nil, ref: read.ref, topic: topic, status: "error", refusal)
            return WireReading(responses: read.ref == nil ? [] : [try answer.written(version, by: .server)])
        case PhoenixMessage.join:
            guard let id = read.ref ?? read.joinRef else {
                throw SocketWire.unreadable(message, "its join has no reference", by: version.name)
            }
            guard asked.count < Self.maximumJoins || asked[id] != nil else {
                throw SocketWire.unreadable(
                    message, "\(Self.maximumJoins) joins have no reply yet", by: version.name)
            }
            asked[id] = (topic, read.joinRef ?? id)
            return WireReading([.join(WireJoin(id: id, topic: topic, payload: read.payload))])
        case _ where isStale(read.joinRef, of: topic): return WireReading()
        case PhoenixMessage.leave:
            guard let id = read.ref else {
                throw SocketWire.unreadable(message, "its leave has no reference", by: version.name)
            }
            return WireReading([.leave(id, topic: topic)])
        default:
            let request = WireRequest(id: read.ref, event: read.event, payload: read.payload, topic: topic)
            return WireReading([.request(request)])
        }
    }

    /// Returns true if a message belongs to an earlier join of its channel.
    private func isStale(_ joinRef: SocketID?, of topic: String) -> Bool {
        guard let joinRef, let current = joins[topic], joinRef != current else { return false }
        return !asked.values.contains { $0 == (topic, joinRef) }
    }
}
