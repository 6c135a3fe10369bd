extension SocketWire {
    /// Centrifuge, the protocol of Centrifugo: JSON commands, replies and pushes, of which a message may have several in
    /// lines of their own.
    ///
    /// ```text
    /// {"id":1,"connect":{"token":"eyJ"}}
    /// {"id":1,"connect":{"client":"a1","version":"6.0","ping":25,"pong":true}}
    /// {"id":2,"subscribe":{"channel":"chat","recover":true,"epoch":"xyz","offset":41}}
    /// {"id":2,"subscribe":{"recoverable":true,"positioned":true,"epoch":"xyz","offset":42,"was_recovering":true,
    ///  "recovered":true,"publications":[{"data":{"text":"hello"},"offset":42}]}}
    /// {"push":{"channel":"chat","pub":{"data":{"text":"hi"},"offset":43}}}
    /// ```
    ///
    /// Version 2 of the protocol, which Centrifugo 4 and later and Centrifuge 0.24 and later speak at
    /// `…/connection/websocket`. The source is
    /// https://github.com/centrifugal/protocol/blob/master/definitions/client.proto, described at
    /// https://centrifugal.dev/docs/transports/client_protocol.
    ///
    /// - The payload of the opening message is the object `connect`: `{"token":…,"data":…}`. That of a join is its `data`,
    ///   but for an object of `token`, `positioned`, `recoverable`, `join_leave` and `data` with one of the first four:
    ///   those become members of `subscribe`.
    /// - A request without a channel is an `rpc`, whose method is its event. One in a channel is a `publish`, which has no
    ///   event, and no payload in its reply. One without an ID is a `send`, which has neither an event nor a channel.
    /// - IDs are numbers from 1 to 4294967293; the two above are those of the opening message and of heartbeats without one.
    /// - Pushes have no event but `join` and `leave`, whose payload tells who it was. One without a channel is a `message`.
    /// - The server asks for signs of life by `{}`, at the interval in its opening answer, to which 10 seconds of grace are
    ///   added. A heartbeat of the client's is a `ping`, to which Centrifugo replies with an error: a sign of life, too.
    /// - Codes of failures are numbers. Another code is written as one, with a member `name` that other clients ignore.
    ///
    /// Presence, history and fresh tokens for a connection aren't supported, nor are numeric channels, deltas and the Protobuf
    /// format: a client doesn't ask for them, and a server replies with an error.
    public static let centrifuge = SocketWire(
        CentrifugeWire.name,
        features: [
            .requests, .notifications, .pushes, .uniformPushes, .channels, .confirmedLeaves, .recovery, .opening,
        ],
        serverHeartbeat: ServerHeartbeat(
            .heartbeat(nil), every: .seconds(25), maximumSilence: .seconds(25 + CentrifugeWire.grace))
    ) { role -> any WireMachine in
        switch role {
        case .client: CentrifugeClient()
        case .server: CentrifugeServer()
        }
    }
}

/// The constants of Centrifuge, and the texts that both of its ends write.
enum CentrifugeWire {
    static let name = "centrifuge"
    /// The IDs of messages that have none as signals. The protocol's are numbers of 32 bits.
    static let openID = UInt64(UInt32.max)
    static let heartbeatID = UInt64(UInt32.max) - 1
    /// The delay of the network that clients allow for, in seconds.
    static let grace: Int64 = 10
    /// The answer to a ping, and the ping of a server.
    static let ping = WebSocketMessage.text("{}")

    static func unsupported(_ what: String) -> NetError { SocketWire.unsupported(what, by: name) }

    /// Returns an ID as the number that the protocol has. A server repeats those of its client, whatever they are.
    static func number(_ id: SocketID, by role: WebSocketRole) throws(NetError) -> UInt64 {
        guard case .number(let number) = id, (1..<(role == .client ? heartbeatID : openID + 1)).contains(number) else {
            throw unsupported("IDs but the numbers from 1 to \(heartbeatID - 1)")
        }
        return number
    }

    /// A command or a reply with a text of JSON.
    static func message(_ id: UInt64?, _ kind: String, _ json: String) -> WebSocketMessage {
        var text = "{"
        text.reserveCapacity(40 + json.utf8.count)
        if let id { text.appendMember("id", number: id) }
        text.appendMember(kind, json: json)
        return .text(text + "}")
    }

    /// A push of the server's.
    static func push(_ channel: String?, _ kind: String, _ json: String) -> WebSocketMessage {
        var text = "{"
        if let channel { text.appendMember("channel", channel) }
        text.appendMember(kind, json: json)
        return message(nil, "push", text + "}")
    }

    /// The object `{"data":…}`, empty for no payload.
    static func data(_ payload: SocketPayload?) throws(NetError) -> String {
        var text = "{"
        try text.appendPayload("data", payload)
        return text + "}"
    }

    /// A publication, with what tells its place in the channel.
    static func publication(_ push: WirePush) throws(NetError) -> String {
        var text = "{"
        try text.appendPayload("data", push.payload)
        if let offset = push.offset { text.appendMember("offset", number: offset) }
        return text + "}"
    }
}

extension String {
    /// Appends a member of an object whose value is a number.
    mutating func appendMember(_ name: String, number: UInt64) {
        appendMember(name, json: String(number))
    }

    /// Appends a member of an object whose value is JSON.
    mutating func appendMember(_ name: String, json: String) {
        appendName(name)
        append(json)
    }

    /// Appends a payload as a member, if there is one. Line ends separate messages here, and within JSON they are blank.
    mutating func appendPayload(_ name: String, _ payload: SocketPayload?) throws(NetError) {
        guard let payload else { return }
        guard let json = payload.json else { throw CentrifugeWire.unsupported("payloads that aren't JSON") }
        appendMember(name, json: json.onOneLine)
    }

    /// The JSON text with spaces in place of its line ends.
    var onOneLine: String {
        utf8.contains(UInt8(ascii: "\n")) || utf8.contains(UInt8(ascii: "\r"))
            ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : $0 })) : self
    }
}
