/// A client's end of Centrifuge.
///
/// | message read | meaning |
/// |---|---|
/// | reply to the opening message | opened, or the end for an error |
/// | reply to `subscribe` | joined or refused |
/// | reply to `unsubscribe` | left |
/// | reply to `ping` | alive |
/// | another reply | reply |
/// | `pub`, `message`, `join`, `leave` | push |
/// | `unsubscribe` | left |
/// | `disconnect` | the end |
/// | `{}` | heartbeat, with a response if the server wants one |
/// | another push | – |
struct CentrifugeClient: WireMachine {
    /// A command whose reply can only be interpreted together with the command.
    private enum Waiting {
        case open, heartbeat
        case join(topic: String, isRecovering: Bool)
        case leave(topic: String)
    }

    private var waiting: [UInt64: Waiting] = [:]
    /// True if the server wants responses to its pings.
    private var sendsPong = false

    // MARK: Writing

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch signal {
        case .open(let payload):
            let members = try CentrifugeCommand.connect(payload)
            waiting[CentrifugeWire.openID] = .open
            return [CentrifugeWire.message(CentrifugeWire.openID, "connect", members)]
        case .request(let request): return [try CentrifugeCommand.request(request)]
        case .join(let join):
            let id = try CentrifugeWire.number(join.id, by: .client)
            let members = try CentrifugeCommand.subscribe(join)
            waiting[id] = .join(topic: join.topic, isRecovering: join.position != nil)
            return [CentrifugeWire.message(id, "subscribe", members)]
        case .leave(let id, let topic):
            let number = try CentrifugeWire.number(id, by: .client)
            waiting[number] = .leave(topic: topic)
            var members = "{"
            members.appendMember("channel", topic)
            return [CentrifugeWire.message(number, "unsubscribe", members + "}")]
        case .heartbeat(let id):
            let number = try id.map { id throws(NetError) in try CentrifugeWire.number(id, by: .client) }
            waiting[number ?? CentrifugeWire.heartbeatID] = .heartbeat
            return [CentrifugeWire.message(number ?? CentrifugeWire.heartbeatID, "ping", "{}")]
        case .alive: return [CentrifugeWire.ping]
        case .end: return []
        case .cancel: throw CentrifugeWire.unsupported("cancellation of requests")
        case .push: throw CentrifugeWire.unsupported("pushes from a client")
        case .opened, .reply, .joined, .joinRefused, .left:
            throw CentrifugeWire.unsupported("replies from a client")
        case .subscribe, .subscribed, .event, .completed, .unsubscribe:
            throw CentrifugeWire.unsupported("subscriptions")
        case .resume, .resumed, .numbered, .acknowledge: throw CentrifugeWire.unsupported("numbered messages")
        }
    }

    // MARK: Reading

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        var reading = WireReading()
        for line in try CentrifugeLine.lines(of: message) {
            if line.isEmpty {
                reading.signals.append(.heartbeat(nil))
                if sendsPong { reading.responses.append(CentrifugeWire.ping) }
            } else if let id = line.id {
                reading.signals += answer(line, id)
            } else if line.kind == "push", let signal = Self.push(line.body) {
                reading.signals.append(signal)
            }
        }
        return reading
    }

    private mutating func answer(_ line: CentrifugeLine, _ number: UInt64) -> [WireSignal] {
        let id = SocketID.number(number)
        let failure = line.error.map { SocketFailure(centrifugeReply: $0) }
        switch waiting.removeValue(forKey: number) {
        case .open: return opened(line)
        case .heartbeat: return [Self.alive(number)]
        case .join(let topic, let isRecovering):
            if let failure { return [.joinRefused(id, topic: topic, failure)] }
            return [.joined(WireJoined(id: id, topic: topic, line.body, isRecovering: isRecovering))]
        case .leave(let topic): return [.left(id, topic: topic, failure)]
        case nil where line.kind == "ping": return [Self.alive(number)]
        case nil:
            let outcome = failure.map { WireReply.Outcome.failure($0) } ?? .success(line.body.payload("data"))
            return [.reply(WireReply(id: id, outcome))]
        }
    }

    private static func alive(_ number: UInt64) -> WireSignal {
        .alive(number == CentrifugeWire.heartbeatID ? nil : .number(number))
    }

    /// Reads the response to the opening message. It is followed by the missed pushes of channels that the server has
    /// joined.
    private mutating func opened(_ line: CentrifugeLine) -> [WireSignal] {
        if let error = line.error {
            let code = error.number("code") ?? 0
            // Errors below 100 are temporary, and 109 is an expired token: the next attempt uses a new one.
            let mayReconnect = error.bool("temporary") || code < 100 || code == 109
            return [.end(WireEnd(SocketFailure(centrifuge: error, text: "message"), mayReconnect: mayReconnect))]
        }
        let ping = line.body.number("ping").flatMap { $0 > 0 ? UInt32(exactly: $0) : nil }
        sendsPong = line.body.bool("pong")
        let opened = WireOpened(
            payload: line.body.payload("data"), heartbeat: ping.map { .seconds(Int64($0) + CentrifugeWire.grace) },
            session: line.body.text("client"))
        let missed = (line.body.object("subs")?.members ?? []).flatMap { name, value in
            WirePush.publications(of: (try? CentrifugeObject(value)) ?? CentrifugeObject(), in: name)
        }
        return [.opened(opened)] + missed.map { .push($0) }
    }

    private static func push(_ body: CentrifugeObject) -> WireSignal? {
        if let message = body.object("message") {
            return .push(WirePush(event: "", payload: message.payload("data")))
        }
        if let disconnect = body.object("disconnect") {
            let code = disconnect.number("code") ?? 0
            let isTerminal = (3500..<4000).contains(code) || (4500..<5000).contains(code)
            return .end(
                WireEnd(
                    SocketFailure(centrifuge: disconnect, text: "reason"),
                    mayReconnect: disconnect["reconnect"]?.bool ?? !isTerminal))
        }
        guard let channel = body.text("channel") else { return nil }
        if let publication = body.object("pub") { return .push(WirePush(publication, in: channel)) }
        if let unsubscribe = body.object("unsubscribe") {
            let failure = SocketFailure(centrifuge: unsubscribe, text: "reason")
            // The code that this package's server writes if there is no failure; Centrifugo always sends a reason.
            let isPlain = failure == SocketFailure(String(CentrifugeServer.unsubscribed))
            return .left(nil, topic: channel, isPlain ? nil : failure)
        }
        for event in ["join", "leave"] {
            guard let presence = body.object(event) else { continue }
            return .push(WirePush(event: event, payload: presence.payload("info"), topic: channel))
        }
        return nil
    }
}

extension WirePush {
    /// Reads a publication.
    init(_ publication: CentrifugeObject, in channel: String) {
        self.init(
            event: "", payload: publication.payload("data"), topic: channel, offset: publication.number("offset"))
    }

    /// Reads the missed publications in the response to a join.
    static func publications(of answer: CentrifugeObject, in channel: String) -> [WirePush] {
        let elements = (try? answer["publications"]?.elements()) ?? []
        return elements.compactMap { element in
            guard element.isObject, let publication = try? CentrifugeObject(element) else { return nil }
            return WirePush(publication, in: channel)
        }
    }
}

extension WireJoined {
    /// Reads the reply to `subscribe`.
    fileprivate init(id: SocketID, topic: String, _ answer: CentrifugeObject, isRecovering: Bool) {
        let hasPosition = answer.bool("positioned") || answer.bool("recoverable") || answer["epoch"] != nil
        // Protobuf's JSON omits an offset of 0.
        let position = ChannelPosition(epoch: answer.text("epoch") ?? "", offset: answer.number("offset") ?? 0)
        let wasRecovering = isRecovering || answer.bool("was_recovering")
        self.init(
            id: id, topic: topic, payload: answer.payload("data"), position: hasPosition ? position : nil,
            isRecovered: wasRecovering ? answer.bool("recovered") : nil,
            missed: WirePush.publications(of: answer, in: topic))
    }
}
