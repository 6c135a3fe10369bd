/// A server's end of Centrifuge.
///
/// | message read | meaning |
/// |---|---|
/// | `connect` | open |
/// | `subscribe`, `unsubscribe` | join, leave |
/// | `rpc`, `publish` | request |
/// | `send` | request without a reply |
/// | `ping` | heartbeat, with a response |
/// | `{}` | alive |
/// | another command | –, with an error as the response |
struct CentrifugeServer: WireMachine {
    /// The code of an unsubscription that isn't a failure.
    static let unsubscribed: UInt32 = 2000

    /// The name of this connection, which every client expects; nil if it isn't set.
    private var session: String?
    /// The ID of the opening message until the response is sent.
    private var openID: UInt64?

    // MARK: Writing

    mutating func greet(as session: String) -> [WebSocketMessage] {
        self.session = session
        return []
    }

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch signal {
        case .opened(let opened):
            guard let id = openID else { throw CentrifugeWire.unsupported("response without an opening message") }
            let body = try body(opened)
            openID = nil
            return [CentrifugeWire.message(id, "connect", body)]
        case .end(let end):
            guard let failure = end.failure else { return [] }
            return [try self.end(failure, end.mayReconnect)]
        case .heartbeat: return [CentrifugeWire.ping]
        case .alive(let id):
            let number = try id.map { id throws(NetError) in try CentrifugeWire.number(id, by: .server) }
            return [CentrifugeWire.message(number ?? CentrifugeWire.heartbeatID, "ping", "{}")]
        case .reply(let reply): return [try Self.reply(reply)]
        case .push(let push): return [try Self.push(push)]
        case .joined(let joined):
            return [
                CentrifugeWire.message(
                    try CentrifugeWire.number(joined.id, by: .server), "subscribe", try Self.body(joined))
            ]
        case .joinRefused(let id, _, let failure): return [try Self.error(id, failure)]
        case .left(let id?, _, let failure):
            if let failure { return [try Self.error(id, failure)] }
            return [CentrifugeWire.message(try CentrifugeWire.number(id, by: .server), "unsubscribe", "{}")]
        case .left(nil, let topic, let failure):
            let failure = failure ?? SocketFailure(String(Self.unsubscribed))
            let members = try failure.centrifugeMembers(text: "reason", else: Self.unsubscribed)
            return [CentrifugeWire.push(topic, "unsubscribe", "{\(members)}")]
        case .cancel: throw CentrifugeWire.unsupported("cancellation of requests")
        case .open, .request, .join, .leave: throw CentrifugeWire.unsupported("requests from a server")
        case .subscribe, .subscribed, .event, .completed, .unsubscribe:
            throw CentrifugeWire.unsupported("subscriptions")
        case .resume, .resumed, .numbered, .acknowledge: throw CentrifugeWire.unsupported("numbered messages")
        }
    }

    private func body(_ opened: WireOpened) throws(NetError) -> String {
        var text = "{"
        if let session = opened.session ?? session { text.appendMember("client", session) }
        try text.appendPayload("data", opened.payload)
        if let heartbeat = opened.heartbeat {
            let (seconds, rest) = heartbeat.components
            let ping = max(1, min(Int64(UInt32.max), seconds) - CentrifugeWire.grace + (rest > 0 ? 1 : 0))
            text.appendMember("ping", number: UInt64(ping))
            text.appendMember("pong", json: "true")
        }
        return text + "}"
    }

    private static func body(_ joined: WireJoined) throws(NetError) -> String {
        var text = "{"
        if let position = joined.position {
            text.appendMember("recoverable", json: "true")
            text.appendMember("positioned", json: "true")
            text.appendMember("epoch", position.epoch)
            text.appendMember("offset", number: position.offset)
        }
        if let isRecovered = joined.isRecovered {
            text.appendMember("was_recovering", json: "true")
            text.appendMember("recovered", json: isRecovered ? "true" : "false")
        }
        if !joined.missed.isEmpty {
            var publications: [String] = []
            for push in joined.missed {
                guard push.event.isEmpty else { throw CentrifugeWire.unsupported("events in what was missed") }
                publications.append(try CentrifugeWire.publication(push))
            }
            text.appendMember("publications", json: "[\(publications.joined(separator: ","))]")
        }
        try text.appendPayload("data", joined.payload)
        return text + "}"
    }

    /// Returns the message of an end: an error in response to the opening message, and a push afterward. Clients of
    /// Centrifuge recognize by the range of the code if they may reconnect.
    private mutating func end(_ failure: SocketFailure, _ mayReconnect: Bool) throws(NetError) -> WebSocketMessage {
        if let id = openID {
            let members = try failure.centrifugeMembers(text: "message", else: 400)
            openID = nil
            return CentrifugeWire.message(id, "error", "{\(members),\"temporary\":\(mayReconnect)}")
        }
        let members = try failure.centrifugeMembers(text: "reason", else: mayReconnect ? 4000 : 4500)
        return CentrifugeWire.push(nil, "disconnect", "{\(members),\"reconnect\":\(mayReconnect)}")
    }

    private static func error(_ id: SocketID, _ failure: SocketFailure) throws(NetError) -> WebSocketMessage {
        CentrifugeWire.message(try CentrifugeWire.number(id, by: .server), "error", try failure.centrifugeReply())
    }

    private static func reply(_ reply: WireReply) throws(NetError) -> WebSocketMessage {
        switch reply.outcome {
        case .failure(let failure): return try error(reply.id, failure)
        case .success(let payload):
            let id = try CentrifugeWire.number(reply.id, by: .server)
            guard reply.topic != nil else {
                return CentrifugeWire.message(id, "rpc", try CentrifugeWire.data(payload))
            }
            guard payload == nil || payload?.json == "{}" || payload?.json == "null" else {
                throw CentrifugeWire.unsupported("payloads of replies in a channel")
            }
            return CentrifugeWire.message(id, "publish", "{}")
        }
    }

    private static func push(_ push: WirePush) throws(NetError) -> WebSocketMessage {
        switch (push.event, push.topic) {
        case ("", nil): return CentrifugeWire.push(nil, "message", try CentrifugeWire.data(push.payload))
        case ("", let topic?): return CentrifugeWire.push(topic, "pub", try CentrifugeWire.publication(push))
        case ("join", let topic?), ("leave", let topic?):
            var text = "{"
            try text.appendPayload("info", push.payload)
            return CentrifugeWire.push(topic, push.event == "join" ? "join" : "leave", text + "}")
        default: throw CentrifugeWire.unsupported("events of pushes except join and leave in a channel")
        }
    }

    // MARK: Reading

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        let lines = try CentrifugeLine.lines(of: message)
        guard lines.allSatisfy({ $0.isEmpty || $0.id != nil || $0.kind == "send" }) else {
            throw SocketWire.unreadable(message, "a command has no numeric \"id\"", by: CentrifugeWire.name)
        }
        var reading = WireReading()
        for line in lines { read(line, into: &reading) }
        return reading
    }

    private mutating func read(_ line: CentrifugeLine, into reading: inout WireReading) {
        guard let number = line.id else {
            let payload = line.body.payload("data")
            reading.signals.append(line.isEmpty ? .alive(nil) : .request(WireRequest(event: "", payload: payload)))
            return
        }
        let id = SocketID.number(number)
        let kind = line.kind ?? ""
        switch kind {
        case "connect":
            openID = number
            reading.signals.append(.open(line.body.payload))
        case "send": reading.signals.append(.request(WireRequest(event: "", payload: line.body.payload("data"))))
        case "ping":
            reading.signals.append(.heartbeat(number == CentrifugeWire.heartbeatID ? nil : id))
            reading.responses.append(CentrifugeWire.message(number, "ping", "{}"))
        case "subscribe", "unsubscribe", "publish", "rpc":
            if let signal = CentrifugeCommand.signal(kind, id, line.body) {
                reading.signals.append(signal)
            } else {
                reading.responses.append(CentrifugeWire.message(number, "error", Self.badRequest))
            }
        default: reading.responses.append(CentrifugeWire.message(number, "error", Self.notAvailable))
        }
    }

    /// Centrifuge's errors for an incomplete command, and for a command that the server doesn't offer.
    private static let badRequest = #"{"code":107,"message":"bad request"}"#
    private static let notAvailable = #"{"code":108,"message":"not available"}"#
}
