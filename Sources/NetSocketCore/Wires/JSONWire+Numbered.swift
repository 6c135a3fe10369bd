internal import NetCore

/// The additions of the default wire protocol to Sockit's, used once both ends have agreed on its subprotocol.
///
/// | signal | message |
/// |---|---|
/// | resume | `session.resume` with `sessionId`, `epoch`, `received` |
/// | resumed | `session.resumed` with `epoch`, `received` |
/// | numbered | any other message, with `seq` |
/// | acknowledge | `session.ack` with `received` |
/// | join with a position | `channel.join` with `recover`: `epoch`, `offset` |
/// | joined with a position | its reply with `epoch`, `offset`, `recovered`, and `missed`: pushes |
/// | push with an offset | the push with `offset` |
extension JSONWire {
    private static let resume = "session.resume"
    private static let resumed = "session.resumed"
    private static let acknowledgment = "session.ack"

    // MARK: Writing

    /// Encodes a signal with these additions. Returns nil for a signal that is encoded as usual.
    mutating func encodeNumbered(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage]? {
        switch signal {
        case .resume(let resume):
            var members = ""
            members.addMember("sessionId", text: resume.session)
            if let epoch = resume.epoch { members.addMember("epoch", text: epoch) }
            members.addMember("received", String(resume.received))
            return [Self.adding(members, to: try Self.message(Self.resume, nil, nil, nil))]
        case .resumed(let resumed):
            var members = ""
            members.addMember("epoch", text: resumed.epoch)
            members.addMember("received", String(resumed.received))
            return [Self.adding(members, to: try Self.message(Self.resumed, nil, nil, nil))]
        case .acknowledge(let number):
            return [Self.adding("\"received\":\(number)", to: try Self.message(Self.acknowledgment, nil, nil, nil))]
        case .numbered(let number, let signal):
            // A signal that writes no message, such as an opening, can't carry a number.
            guard let message = try encode(signal).first else { return [] }
            return [Self.adding("\"seq\":\(number)", to: message)]
        case .push(let push):
            guard let offset = push.offset else { return nil }
            return try encodePlain(signal).map { Self.adding("\"offset\":\(offset)", to: $0) }
        case .join(let join):
            guard let position = join.position else { return nil }
            return try encodePlain(signal).map { Self.adding("\"recover\":{\(Self.members(position))}", to: $0) }
        case .joined(let joined):
            let members = try Self.members(joined)
            return members.isEmpty ? nil : try encodePlain(signal).map { Self.adding(members, to: $0) }
        default: return nil
        }
    }

    private static func members(_ position: ChannelPosition) -> String {
        var members = ""
        members.addMember("epoch", text: position.epoch)
        members.addMember("offset", String(position.offset))
        return members
    }

    private static func members(_ joined: WireJoined) throws(NetError) -> String {
        var members = joined.position.map { Self.members($0) } ?? ""
        if let isRecovered = joined.isRecovered { members.addMember("recovered", String(isRecovered)) }
        var missed: [String] = []
        for push in joined.missed {
            var text = "{"
            text.appendMember("event", push.event)
            if let offset = push.offset { text.addMember("offset", String(offset)) }
            text.addMember("payload", try (push.payload ?? Self.empty).json(by: name))
            missed.append(text + "}")
        }
        if !missed.isEmpty { members.addMember("missed", "[\(missed.joined(separator: ","))]") }
        return members
    }

    /// Inserts members before those of a message.
    private static func adding(_ members: String, to message: WebSocketMessage) -> WebSocketMessage {
        guard let text = message.text else { return message }
        return .text("{\(members),\(text.dropFirst())")
    }

    // MARK: Reading

    mutating func readNumbered(
        _ event: String, _ envelope: Envelope, _ message: WebSocketMessage
    ) throws(NetError) -> WireReading {
        func text(_ name: String) throws(NetError) -> String {
            guard let text = envelope[name]?.string else {
                throw SocketWire.unreadable(message, "\"\(name)\" must be a string", by: Self.name)
            }
            return text
        }
        func number(_ name: String) throws(NetError) -> UInt64 {
            guard let number = envelope[name]?.integer else {
                throw SocketWire.unreadable(message, "\"\(name)\" must be a number", by: Self.name)
            }
            return number
        }
        switch (event, role) {
        case (Self.resume, .server):
            let resume = WireResume(
                session: try text("sessionId"), epoch: envelope["epoch"]?.string, received: try number("received"))
            return WireReading([.resume(resume)])
        case (Self.resumed, .client):
            return WireReading([.resumed(WireResumed(epoch: try text("epoch"), received: try number("received")))])
        case (Self.acknowledgment, _): return WireReading([.acknowledge(try number("received"))])
        default: break
        }
        var reading = try readPlain(event, envelope, message)
        reading.signals = reading.signals.map { Self.completed($0, envelope) }
        guard envelope["seq"] != nil else { return reading }
        let seq = try number("seq")
        reading.signals = reading.signals.map { .numbered(seq, $0) }
        return reading
    }

    /// Returns a reading of an undecodable message, such as one that is nested too deeply: its number must still be
    /// counted. Returns nil if the message doesn't begin with a number.
    static func counted(_ message: WebSocketMessage, _ error: NetError) -> WireReading? {
        let beginning = "{\"seq\":"
        guard let text = message.text?.utf8, text.starts(with: beginning.utf8) else { return nil }
        let digits = text.dropFirst(beginning.utf8.count).prefix { (48...57).contains($0) }
        guard let number = UInt64(String(Substring(digits))) else { return nil }
        var reading = WireReading([.numbered(number, .alive(nil))])
        reading.unreadable = error.message
        return reading
    }

    /// Adds the positions that the members contain.
    private static func completed(_ signal: WireSignal, _ envelope: Envelope) -> WireSignal {
        switch signal {
        case .push(var push):
            push.offset = envelope["offset"]?.integer
            return .push(push)
        case .join(var join):
            join.position = envelope["recover"].flatMap { position($0["epoch"], $0["offset"]) }
            return .join(join)
        case .joined(var joined):
            joined.position = position(envelope["epoch"], envelope["offset"])
            joined.isRecovered = envelope["recovered"]?.bool
            joined.missed = missed(envelope["missed"], topic: joined.topic)
            return .joined(joined)
        default: return signal
        }
    }

    private static func position(_ epoch: JSONSlice?, _ offset: JSONSlice?) -> ChannelPosition? {
        guard let epoch = epoch?.string, let offset = offset?.integer else { return nil }
        return ChannelPosition(epoch: epoch, offset: offset)
    }

    private static func missed(_ pushes: JSONSlice?, topic: String) -> [WirePush] {
        ((try? pushes?.elements()) ?? []).compactMap { push in
            guard let event = push["event"]?.string else { return nil }
            return WirePush(
                event: event, payload: push["payload"]?.payload, topic: topic, offset: push["offset"]?.integer)
        }
    }
}

extension String {
    /// Appends a member, with a comma unless it is the first.
    fileprivate mutating func addMember(_ name: String, _ value: String) {
        if !isEmpty { append(",") }
        append("\"\(name)\":\(value)")
    }

    fileprivate mutating func addMember(_ name: String, text: String) {
        addMember(name, "")
        appendJSON(text)
    }
}
