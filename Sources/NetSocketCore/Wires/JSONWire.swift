internal import NetCore

extension SocketWire {
    /// The default wire protocol: one JSON object per message, with `event`, `payload`, `requestId`, `channel` and
    /// `status`. It is the protocol of Sockit.
    ///
    /// ```text
    /// {"event":"chat.send","requestId":"7","channel":"room:general","payload":{"text":"hello"}}
    /// {"event":"chat.send","requestId":"7","status":"ok","payload":{"id":42}}
    /// ```
    ///
    /// A client joins with the command `channel.join`, whose payload also contains the `topic`, and leaves with
    /// `channel.leave`. A failed reply has the status `error` and the payload `{"error":{"code":…,"message":…}}`. The
    /// response to `heartbeat` is `heartbeat`. A command without a payload has an empty object. A peer may omit every
    /// member except `event`.
    public static let json = SocketWire(
        JSONWire.name,
        features: [.requests, .notifications, .pushes, .uniformPushes, .channels, .confirmedLeaves, .heartbeats]
    ) { role in JSONWire(role) }

    /// The default wire protocol with numbered messages, acknowledgments, and channels that recover missed pushes: the
    /// same messages with additional members, if the server accepts the subprotocol `swift-net.json.v1`. With a server
    /// that doesn't, it is the same as ``json``.
    public static let numberedJSON = SocketWire(
        JSONWire.numberedName, subprotocols: [JSONWire.subprotocol],
        features: json.features.union([.delivery, .recovery])
    ) { role in JSONWire(role) }
}

/// One end of the default wire protocol.
///
/// | message | client reads | server reads |
/// |---|---|---|
/// | `heartbeat` | alive | heartbeat, with a response |
/// | ID of a join | joined or refused | – |
/// | ID of a leave | left | – |
/// | `channel.join`, `channel.leave` | – | join, leave |
/// | `channel.left` | left | – |
/// | another ID | reply | request |
/// | no ID | push | request without a reply |
struct JSONWire: WireMachine {
    static let name = "json"
    static let numberedName = "json.numbered"
    static let subprotocol = "swift-net.json.v1"
    private static let join = "channel.join"
    private static let leave = "channel.leave"
    private static let left = "channel.left"
    private static let heartbeat = "heartbeat"

    let role: WebSocketRole
    /// True if both ends have agreed on numbered messages and recovery.
    private(set) var isNumbered = false
    /// The topics of joins and leaves that have no reply yet.
    private var joins: [SocketID: String] = [:]
    private var leaves: [SocketID: String] = [:]

    init(_ role: WebSocketRole) {
        self.role = role
    }

    mutating func agree(on subprotocol: String?) { isNumbered = subprotocol == Self.subprotocol }

    // MARK: Writing

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        if isNumbered, let messages = try encodeNumbered(signal) { return messages }
        return try encodePlain(signal)
    }

    mutating func encodePlain(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch signal {
        case .request(let request):
            return [try Self.message(request.event, request.id, request.topic, request.payload ?? Self.empty)]
        case .reply(let reply): return [try Self.reply(reply)]
        case .push(let push): return [try Self.message(push.event, nil, push.topic, push.payload ?? Self.empty)]
        case .join(let join):
            let payload = try Self.merging(join.topic, into: join.payload)
            joins[join.id] = join.topic
            return [try Self.message(Self.join, join.id, join.topic, payload)]
        case .leave(let id, let topic):
            leaves[id] = topic
            return [try Self.message(Self.leave, id, topic, Self.merging(topic, into: nil))]
        case .joined(let joined):
            return [
                try Self.reply(
                    WireReply(id: joined.id, event: Self.join, topic: joined.topic, .success(joined.payload)))
            ]
        case .joinRefused(let id, let topic, let failure):
            return [try Self.reply(WireReply(id: id, event: Self.join, topic: topic, .failure(failure)))]
        case .left(let id?, let topic, nil):
            return [try Self.reply(WireReply(id: id, event: Self.leave, topic: topic, .success(nil)))]
        case .left(_, let topic, let failure):
            return [try Self.message(Self.left, nil, topic, failure.map(Self.payload) ?? Self.empty)]
        case .heartbeat, .alive: return [try Self.message(Self.heartbeat, nil, nil, nil)]
        case .open, .opened: return []
        case .end(let end):
            return try end.failure.map { failure throws(NetError) in
                [try Self.message("error", nil, nil, Self.payload(failure), status: "error")]
            } ?? []
        case .cancel: throw SocketWire.unsupported("cancellation of requests", by: Self.name)
        case .subscribe, .subscribed, .event, .completed, .unsubscribe:
            throw SocketWire.unsupported("subscriptions", by: Self.name)
        case .resume, .resumed, .numbered, .acknowledge:
            throw SocketWire.unsupported("numbered messages unless both sides agree on them", by: Self.name)
        }
    }

    static let empty = SocketPayload(json: "{}")

    private static func reply(_ reply: WireReply) throws(NetError) -> WebSocketMessage {
        switch reply.outcome {
        case .success(let payload):
            try message(reply.event ?? "reply", reply.id, reply.topic, payload ?? empty, status: "ok")
        case .failure(let failure):
            try message(reply.event ?? "reply", reply.id, reply.topic, payload(failure), status: "error")
        }
    }

    private static func payload(_ failure: SocketFailure) -> SocketPayload {
        var text = "{\"error\":{"
        text.appendMember("code", failure.code)
        text.appendMember("message", failure.message)
        if let details = failure.details?.json {
            text.appendName("details")
            text += details
        }
        return SocketPayload(json: text + "}}")
    }

    static func message(
        _ event: String, _ id: SocketID?, _ topic: String?, _ payload: SocketPayload?, status: String? = nil
    ) throws(NetError) -> WebSocketMessage {
        var text = "{"
        text.reserveCapacity(96 + (payload?.count ?? 0))
        text.appendMember("event", event)
        if let id { text.appendMember("requestId", id) }
        if let topic { text.appendMember("channel", topic) }
        if let status { text.appendMember("status", status) }
        if let payload {
            text.appendName("payload")
            text += try payload.json(by: name)
        }
        return .text(text + "}")
    }

    /// Returns the payload of a join, which must be an object, with the topic added.
    private static func merging(_ topic: String, into payload: SocketPayload?) throws(NetError) -> SocketPayload {
        var text = "{"
        text.appendMember("topic", topic)
        guard let payload else { return SocketPayload(json: text + "}") }
        do {
            let slice = try JSONSlice(payload.json ?? "")
            guard slice.isObject else { throw JSONSlice.Problem.malformed }
            for (name, value) in try slice.members() where name != "topic" {
                text += ","
                text.appendJSON(name)
                text += ":"
                text += value.payload.json ?? "null"
            }
        } catch {
            throw NetError(
                .encoding, phase: .preparing,
                message: "the payload of a join must be a JSON object: the wire protocol \(name) adds the topic to it")
        }
        return SocketPayload(json: text + "}")
    }

    // MARK: Reading

    /// The members of a message.
    struct Envelope {
        var event: String?
        var payload: JSONSlice?
        var id: SocketID?
        var topic: String?
        var status: String?
        /// All other members, if both ends have agreed on them.
        var others: [(name: String, value: JSONSlice)] = []

        subscript(name: String) -> JSONSlice? { others.first { $0.name == name }?.value }
    }

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        var envelope: Envelope?
        do throws(NetError) {
            let read = try Self.envelope(message, isNumbered: isNumbered, at: role)
            envelope = read
            guard let event = read.event else {
                throw SocketWire.unreadable(message, "its object has no string \"event\"", by: Self.name)
            }
            return isNumbered ? try readNumbered(event, read, message) : try readPlain(event, read, message)
        } catch {
            let counted = isNumbered && envelope == nil ? Self.counted(message, error) : nil
            guard role == .server else {
                if let counted { return counted }
                throw error
            }
            var reading = counted ?? WireReading()
            let failure = SocketFailure("unreadable_message", error.message)
            reading.responses = [
                try Self.message("error", envelope?.id, nil, Self.payload(failure), status: "error")
            ]
            reading.unreadable = error.message
            return reading
        }
    }

    mutating func readPlain(
        _ event: String, _ envelope: Envelope, _ message: WebSocketMessage
    ) throws(NetError) -> WireReading {
        if event == Self.heartbeat {
            guard role == .server else { return WireReading([.alive(nil)]) }
            return WireReading([.heartbeat(nil)], responses: try encodePlain(.alive(nil)))
        }
        let payload = envelope.payload?.payload
        if role == .server { return WireReading([try Self.asked(event, envelope, payload, message)]) }
        return WireReading([answered(event, envelope, payload)])
    }

    private static func asked(
        _ event: String, _ envelope: Envelope, _ payload: SocketPayload?, _ message: WebSocketMessage
    ) throws(NetError) -> WireSignal {
        if event == join || event == leave {
            guard let id = envelope.id else {
                throw SocketWire.unreadable(message, "its \(event) has no \"requestId\"", by: name)
            }
            let members = (try? envelope.payload?.members()) ?? []
            let named = members.first { $0.name == "topic" }?.value.string
            guard let topic = named ?? envelope.topic else {
                throw SocketWire.unreadable(message, "the payload of its \(event) has no \"topic\"", by: name)
            }
            return event == join
                ? .join(WireJoin(id: id, topic: topic, payload: payload)) : .leave(id, topic: topic)
        }
        return .request(WireRequest(id: envelope.id, event: event, payload: payload, topic: envelope.topic))
    }

    private mutating func answered(_ event: String, _ envelope: Envelope, _ payload: SocketPayload?) -> WireSignal {
        let failure = Self.failure(event, envelope)
        guard let id = envelope.id else {
            if event == Self.left, let topic = envelope.topic { return .left(nil, topic: topic, failure) }
            return .push(WirePush(event: event, payload: payload, topic: envelope.topic))
        }
        if let topic = joins.removeValue(forKey: id) {
            return failure.map { .joinRefused(id, topic: topic, $0) }
                ?? .joined(WireJoined(id: id, topic: topic, payload: payload))
        }
        if let topic = leaves.removeValue(forKey: id) { return .left(id, topic: topic, failure) }
        let outcome = failure.map { WireReply.Outcome.failure($0) } ?? .success(payload)
        return .reply(WireReply(id: id, event: event, topic: envelope.topic, outcome))
    }

    /// Returns the failure of a reply. Some servers refuse a join by a separate event, without a status.
    private static func failure(_ event: String, _ envelope: Envelope) -> SocketFailure? {
        let isRefused = event == "join_rejected" || event == "join_error"
        let isFailed = envelope.status == "error" || isRefused
        // The payload of any other message isn't inspected: most are pushes that may never be decoded.
        guard isFailed || envelope.status == nil && event == left else { return nil }
        let members = (try? envelope.payload?.members()) ?? []
        let error = members.first { $0.name == "error" }?.value
        guard isFailed || error != nil else { return nil }
        var failure = SocketFailure(isRefused ? event : "error")
        // In some messages, the error itself is the payload; in others, it is a text.
        for (name, value) in (try? (error ?? envelope.payload)?.members()) ?? [] {
            switch name {
            case "code": failure.code = value.string ?? value.scalarText ?? failure.code
            case "message", "reason": failure.message = value.string ?? failure.message
            case "details": failure.details = value.payload
            default: break
            }
        }
        if failure.message.isEmpty, let text = error?.string { failure.message = text }
        return failure
    }

    private static func envelope(
        _ message: WebSocketMessage, isNumbered: Bool, at role: WebSocketRole
    ) throws(NetError) -> Envelope {
        guard let text = message.text else {
            throw SocketWire.unreadable(message, "it is binary", by: name)
        }
        do throws(JSONSlice.Problem) {
            let slice = try JSONSlice(text)
            guard slice.isObject else { throw .malformed }
            var envelope = Envelope()
            for (name, value) in try slice.members() {
                switch name {
                case "event": envelope.event = envelope.event ?? value.string
                case "payload": envelope.payload = envelope.payload ?? value
                case "requestId":
                    guard envelope.id == nil, !value.isNull else { continue }
                    envelope.id = role == .server ? value.clientID : value.id
                case "channel": envelope.topic = envelope.topic ?? value.string
                case "status": envelope.status = envelope.status ?? value.string
                default: if isNumbered { envelope.others.append((name, value)) }
                }
            }
            return envelope
        } catch {
            throw SocketWire.unreadable(message, error.text, by: name)
        }
    }
}
