/// The commands of Centrifuge, written by a client and read by a server.
enum CentrifugeCommand {
    /// The members of `subscribe` that the payload of a join may have, in addition to `data`.
    private static let settings: Set = ["token", "positioned", "recoverable", "join_leave"]

    // MARK: Writing

    /// Returns the object `connect`.
    static func connect(_ payload: SocketPayload?) throws(NetError) -> String {
        guard let payload else { return "{}" }
        guard let json = payload.json, (try? JSONSlice(json))?.isObject == true else {
            throw NetError(
                .encoding, phase: .preparing,
                message: """
                    the payload of the opening message must be a JSON object with the members of "connect", such as \
                    "token" and "data", on the wire protocol \(CentrifugeWire.name)
                    """)
        }
        return json.onOneLine
    }

    /// Returns the object `subscribe`.
    static func subscribe(_ join: WireJoin) throws(NetError) -> String {
        var text = "{"
        text.appendMember("channel", join.topic)
        if let members = join.payload?.json.flatMap(members) {
            for (name, value) in members {
                text += ","
                text.appendJSON(name)
                text += ":"
                text += (value.payload.json ?? "null").onOneLine
            }
        } else {
            try text.appendPayload("data", join.payload)
        }
        if let position = join.position {
            text.appendMember("recover", json: "true")
            text.appendMember("epoch", position.epoch)
            text.appendMember("offset", number: position.offset)
        }
        return text + "}"
    }

    /// Returns the members of a payload that contains settings; nil for a payload of only data.
    private static func members(_ json: String) -> [(name: String, value: JSONSlice)]? {
        guard let slice = try? JSONSlice(json), slice.isObject, let members = try? slice.members() else { return nil }
        let areAllowed = members.allSatisfy { name, value in
            name == "data" || name == "token" && value.string != nil
                || settings.contains(name) && name != "token" && value.bool != nil
        }
        let names = Set(members.map { $0.name })
        guard areAllowed, names.count == members.count, !names.isDisjoint(with: settings) else { return nil }
        return members
    }

    /// Returns the command of a request: `rpc`, `publish` or `send`.
    static func request(_ request: WireRequest) throws(NetError) -> WebSocketMessage {
        guard let id = request.id else {
            guard request.topic == nil else {
                throw CentrifugeWire.unsupported("requests in a channel without a reply")
            }
            guard request.event.isEmpty else { throw CentrifugeWire.unsupported("events without a reply") }
            return CentrifugeWire.message(nil, "send", try CentrifugeWire.data(request.payload))
        }
        let number = try CentrifugeWire.number(id, by: .client)
        var text = "{"
        if let topic = request.topic {
            guard request.event.isEmpty else { throw CentrifugeWire.unsupported("events in a channel") }
            text.appendMember("channel", topic)
        } else {
            text.appendMember("method", request.event)
        }
        try text.appendPayload("data", request.payload)
        return CentrifugeWire.message(number, request.topic == nil ? "rpc" : "publish", text + "}")
    }

    // MARK: Reading

    /// Returns the payload of a join: its data, or an object with its settings and its data.
    private static func payload(_ body: CentrifugeObject) -> SocketPayload? {
        let isSet = body.members.contains { settings.contains($0.name) }
        guard isSet else { return body.payload("data") }
        var text = "{"
        for (name, value) in body.members where name == "data" || settings.contains(name) {
            if text.utf8.count > 1 { text += "," }
            text.appendJSON(name)
            text += ":"
            text += value.payload.json ?? "null"
        }
        return SocketPayload(json: text + "}")
    }

    /// Reads a command with an ID, except `connect` and `ping`; nil if something is missing.
    static func signal(_ kind: String, _ id: SocketID, _ body: CentrifugeObject) -> WireSignal? {
        let channel = body.text("channel")
        switch (kind, channel) {
        case ("subscribe", let channel?):
            let position = ChannelPosition(epoch: body.text("epoch") ?? "", offset: body.number("offset") ?? 0)
            return .join(
                WireJoin(
                    id: id, topic: channel, payload: payload(body), position: body.bool("recover") ? position : nil))
        case ("unsubscribe", let channel?): return .leave(id, topic: channel)
        case ("publish", let channel?):
            return .request(WireRequest(id: id, event: "", payload: body.payload("data"), topic: channel))
        case ("rpc", _):
            return .request(WireRequest(id: id, event: body.text("method") ?? "", payload: body.payload("data")))
        default: return nil
        }
    }
}
