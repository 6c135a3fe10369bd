extension SocketWire {
    /// Centrifuge, the protocol of Centrifugo: JSON commands, replies and pushes. A message may contain several, one
    /// per line.
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
    /// This is version 2 of the protocol, which Centrifugo 4 and later and Centrifuge 0.24 and later use at
    /// `…/connection/websocket`. The source is
    /// https://github.com/centrifugal/protocol/blob/master/definitions/client.proto, described at
    /// https://centrifugal.dev/docs/transports/client_protocol.
    ///
    /// - The payload of the opening message is the object `connect`: `{"token":…,"data":…}`. The payload of a join
    ///   becomes the member `data` of `subscribe`. If it is an object that has at least one of `token`, `positioned`,
    ///   `recoverable` and `join_leave`, and no other members except `data`, its members become members of `subscribe`
    ///   instead.
    /// - A request without a channel is an `rpc`, whose method is its event. A request in a channel is a `publish`,
    ///   which has no event, and no payload in its reply. A request without an ID is a `send`, which has neither an
    ///   event nor a channel.
    /// - IDs are numbers from 1 to 4294967293; the next two are those of the opening message and of heartbeats without
    ///   an ID.
    /// - Pushes have no event, except `join` and `leave`, whose payload identifies the member. A push without a
    ///   channel is a `message`.
    /// - The server sends `{}` as a heartbeat, at the interval in its response to the opening message, to which 10
    ///   seconds of grace are added. A client's heartbeat is a `ping`. Centrifugo replies to it with an error, which
    ///   also shows that it is alive.
    /// - Codes of failures are numbers. For a code that isn't a number, a substitute such as 400 is written, and the
    ///   code itself as the member `name`, which other clients ignore.
    ///
    /// Presence, history and token refresh for a connection aren't supported, nor are numeric channels, deltas and the
    /// Protobuf format: a client doesn't request them, and a server replies with an error.
    public static let centrifuge = SocketWire(
        CentrifugeWire.name,
        features: [
            .requests, .notifications, .pushes, .uniformPushes, .channels, .confirmedLeaves, .recovery, .opening,
        ],
        serverHeartbeat: ServerHeartbeat(
            .heartbeat(nil), every: .seconds(25), maximumSilence: .seconds(25 + CentrifugeWire.grace)),
        unreadableCode: try? CloseFrameCode(3501)
    ) { role -> any WireMachine in
        switch role {
        case .client: CentrifugeClient()
        case .server: CentrifugeServer()
        }
    }
}

/// The constants of Centrifuge, and the messages that both of its ends write.
enum CentrifugeWire {
    static let name = "centrifuge"
    /// The IDs of messages whose signals have none. The protocol's IDs are 32-bit numbers.
    static let openID = UInt64(UInt32.max)
    static let heartbeatID = UInt64(UInt32.max) - 1
    /// The network delay that clients allow for, in seconds.
    static let grace: Int64 = 10
    /// The ping of a server, and the response to it.
    static let ping = WebSocketMessage.text("{}")

    static func unsupported(_ what: String) -> NetError { SocketWire.unsupported(what, by: name) }

    /// Returns an ID as the protocol's number. A server repeats its client's IDs, whatever they are.
    static func number(_ id: SocketID, by role: WebSocketRole) throws(NetError) -> UInt64 {
        guard case .number(let number) = id, (1..<(role == .client ? heartbeatID : openID + 1)).contains(number) else {
            throw unsupported("IDs other than the numbers from 1 to \(heartbeatID - 1)")
        }
        return number
    }

    /// Returns a command or a reply with JSON text.
    static func message(_ id: UInt64?, _ kind: String, _ json: String) -> WebSocketMessage {
        var text = "{"
        text.reserveCapacity(40 + json.utf8.count)
        if let id { text.appendMember("id", number: id) }
        text.appendMember(kind, json: json)
        return .text(text + "}")
    }

    /// Returns a push of the server.
    static func push(_ channel: String?, _ kind: String, _ json: String) -> WebSocketMessage {
        var text = "{"
        if let channel { text.appendMember("channel", channel) }
        text.appendMember(kind, json: json)
        return message(nil, "push", text + "}")
    }

    /// Returns the object `{"data":…}`, which is empty if there is no payload.
    static func data(_ payload: SocketPayload?) throws(NetError) -> String {
        var text = "{"
        try text.appendPayload("data", payload)
        return text + "}"
    }

    /// Returns a publication, with its offset in the channel.
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

    /// Appends a payload as a member, if there is one. Line breaks separate messages here; within JSON they are
    /// whitespace.
    mutating func appendPayload(_ name: String, _ payload: SocketPayload?) throws(NetError) {
        guard let payload else { return }
        guard let json = payload.json else { throw CentrifugeWire.unsupported("payloads that aren't JSON") }
        appendMember(name, json: json.onOneLine)
    }

    /// The JSON text with spaces instead of line breaks.
    var onOneLine: String {
        utf8.contains(UInt8(ascii: "\n")) || utf8.contains(UInt8(ascii: "\r"))
            ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : $0 })) : self
    }
}
