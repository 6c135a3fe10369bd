internal import NetCore

extension SocketWire {
    /// Socket.IO, version 5 of its [protocol](https://socket.io/docs/v4/socket-io-protocol/) over version 4 of
    /// [Engine.IO](https://socket.io/docs/v4/engine-io-protocol/): the protocol of Socket.IO 3 and 4. The URL needs
    /// `/socket.io/?EIO=4&transport=websocket`.
    ///
    /// ```text
    /// 0{"sid":"lv_V","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}
    /// 40{"token":"…"}
    /// 40{"sid":"wZX3"}
    /// 421["rename",{"name":"lobby"}]
    /// 431["done"]
    /// ```
    ///
    /// The opening message connects to the namespace `/`, and its payload contains the credentials. Other namespaces
    /// are channels whose topic is the name: `/admin`. Their joins have no ID on the wire, so a server uses the topic
    /// as the ID. A client may join a namespace without connecting to `/`: a server also reads the first such join as
    /// an opening message with the same payload. A reply must have the topic of its request.
    ///
    /// An event is a request, or a push if a server sends it without an ID. Its payload is the argument: nil for an
    /// event without arguments, and bytes for a binary argument. Several arguments are read as one JSON array, and
    /// can't be written. An acknowledgement is a reply with such a payload. As acknowledgements can't fail, a failure
    /// is written as the argument `{"error":{"code":…,"message":…,"details":…}}`, and read back from it. A refusal has
    /// a data object: it becomes the details of the failure, and its `code` becomes the failure's code (`connect_error`
    /// if there is none).
    ///
    /// The payload of `.opened` and `.joined` is the server's object. Without one, a server sends only the `sid`, and a
    /// client reads a nil payload for `.opened` and the `sid` as its session. The maximum silence is in the server's
    /// first message, which a server writes in ``WireMachine/greet(as:)``, and not in the response to the opening
    /// message; this package's server writes 45 s.
    ///
    /// A server of Socket.IO 2 (version 3 of Engine.IO) is refused at its first packet, and the session fails with
    /// `unsupported_version`.
    ///
    /// Limits: WebSocket only, no long-polling. Only a server sends heartbeats, every 25 s, so the features don't
    /// include them; a client responds immediately. IDs are numbers. A server doesn't confirm `.leave`, and its `.left`
    /// has no failure. Attachments that aren't the only argument can't be decoded, and connection state recovery isn't
    /// used. A client that is disconnected by the server, and not only by the network, shouldn't reconnect
    /// automatically. For an `.end` after which the client may reconnect, a server writes nothing; only the closing
    /// handshake follows.
    public static let socketIO = SocketWire(
        SocketIOWire.name, features: [.requests, .notifications, .pushes, .uniformPushes, .channels, .opening],
        serverHeartbeat: ServerHeartbeat(.heartbeat(nil), every: .seconds(25), maximumSilence: .seconds(45))
    ) { role in SocketIOWire(role: role) }
}

/// One end of Socket.IO v5 over Engine.IO v4. `/n,` is a namespace.
///
/// | message | client reads | server reads |
/// |---|---|---|
/// | `0` | nothing; stores the maximum silence | – |
/// | `1` | end | end |
/// | `2`, `3` | heartbeat, with a response | alive |
/// | `40`, `40/n,` | opened, or the end without a `sid`; joined | open, join |
/// | `41`, `41/n,` | end, left | end, leave |
/// | `42` | push | request without a reply |
/// | `42` with an ID | request | request |
/// | `43` | reply | reply |
/// | `44`, `44/n,` | end, refused | – |
/// | `45`, `46` and a binary message | as `42`, `43` | as `42`, `43` |
struct SocketIOWire: WireMachine {
    static let name = "socket.io-5"

    let role: WebSocketRole
    /// Server: the name of this connection.
    private var session = "0"
    /// Server: the namespace by which the connection was opened.
    var opening = Opening.none
    /// Client: the maximum silence of the server.
    var heartbeat: Duration?
    /// Client: the topics of joins and leaves that have no reply yet.
    var joins: [String: SocketID] = [:]
    var leaves: [String: SocketID] = [:]
    /// A packet whose attachment hasn't arrived yet, and the number of attachments of a packet that can't be decoded.
    var waiting: SocketIOPacket?
    var unread = 0

    /// The namespace by which a client has opened a connection, from a server's point of view.
    enum Opening: Equatable {
        case none, byDefault
        /// The client has connected to another namespace, and not to the default one.
        case by(String)
    }

    init(role: WebSocketRole) {
        self.role = role
    }

    // MARK: Writing

    mutating func greet(as session: String) -> [WebSocketMessage] {
        guard role == .server else { return [] }
        self.session = session
        var text = "0{"
        text.appendMember("sid", session)
        return [.text(text + ",\"upgrades\":[],\"pingInterval\":25000,\"pingTimeout\":20000,\"maxPayload\":1000000}")]
    }

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch (signal, role) {
        case (.open(let payload), .client): return [try Self.object(.connect, nil, payload)]
        case (.opened(let opened), .server):
            if let session = opened.session { self.session = session }
            // The client hasn't connected to the default namespace: the response is the one to the join, which
            // follows.
            if case .by = opening { return [] }
            return [try accepted(nil, opened.payload)]
        case (.end(let end), _): return try text(end).map { [.text($0)] } ?? []
        case (.heartbeat, .server): return [.text("2")]
        case (.alive, .client): return [.text("3")]
        case (.request(let request), _) where role == .client || request.id != nil:
            let id = try request.id.map { id throws(NetError) in try Self.number(id) }
            return try Self.event(request.event, id, request.topic, request.payload)
        case (.push(let push), .server): return try Self.event(push.event, nil, push.topic, push.payload)
        case (.reply(let reply), _): return try Self.acknowledgement(reply)
        case (.join(let join), .client):
            let message = try Self.object(.connect, try Self.namespace(join.topic), join.payload)
            joins[join.topic] = join.id
            leaves[join.topic] = nil
            return [message]
        case (.joined(let joined), .server):
            return [try accepted(try Self.namespace(joined.topic), joined.payload)]
        case (.joinRefused(_, let topic, let failure), .server):
            return [.text(try Self.refusal(failure, try Self.namespace(topic)))]
        case (.leave(let id, let topic), .client):
            let text = SocketIOPacket.text(.disconnect, namespace: try Self.namespace(topic))
            leaves[topic] = id
            joins[topic] = nil
            return [.text(text)]
        case (.left(_, let topic, _), .server):
            return [.text(SocketIOPacket.text(.disconnect, namespace: try Self.namespace(topic)))]
        default: throw SocketWire.unsupported(signal, from: role, by: Self.name)
        }
    }

    /// Returns the message of the end; nil for none. For an end after which the client may reconnect, only the closing
    /// handshake is sent: some clients don't reconnect after they read Engine.IO's end (`1`) over a WebSocket.
    private func text(_ end: WireEnd) throws(NetError) -> String? {
        if role == .server, end.mayReconnect { return nil }
        guard role == .server, let failure = end.failure else {
            return SocketIOPacket.text(.disconnect, namespace: nil)
        }
        if case .by(let namespace) = opening { return try Self.refusal(failure, namespace) }
        return try Self.refusal(failure, nil)
    }

    func accepted(_ namespace: String?, _ payload: SocketPayload?) throws(NetError) -> WebSocketMessage {
        var name = ""
        name.appendJSON(session)
        return try Self.object(.connect, namespace, try .object(payload, adding: "sid", name, by: Self.name))
    }

    private static func object(
        _ kind: SocketIOPacket.Kind, _ namespace: String?, _ payload: SocketPayload?
    ) throws(NetError) -> WebSocketMessage {
        // Clients and servers accept only objects, and a number would be interpreted as an ID.
        let object = try payload.map { payload throws(NetError) in try JSONSlice(object: payload, by: name) }
        return .text(SocketIOPacket.text(kind, namespace: namespace, data: object?.payload.json ?? ""))
    }

    private static func refusal(_ failure: SocketFailure, _ namespace: String?) throws(NetError) -> String {
        var text = "{"
        text.appendMember("message", failure.message)
        text.appendName("data")
        text += try failure.codedData(by: name) + "}"
        return SocketIOPacket.text(.connectError, namespace: namespace, data: text)
    }

    private static func event(
        _ event: String, _ id: UInt64?, _ topic: String?, _ payload: SocketPayload?
    ) throws(NetError) -> [WebSocketMessage] {
        guard !reserved.contains(event) else {
            throw SocketWire.unwritable("the name of the event is reserved; choose another one", by: name)
        }
        let namespace = try Self.namespace(topic)
        return message(.event, namespace, id, event, payload)
    }

    /// The names of events with a special meaning in Socket.IO; its peers treat them as an attack.
    private static let reserved: Set = [
        "connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener",
    ]

    private static func acknowledgement(_ reply: WireReply) throws(NetError) -> [WebSocketMessage] {
        let namespace = try Self.namespace(reply.topic)
        let id = try number(reply.id)
        switch reply.outcome {
        case .success(let payload): return message(.acknowledgement, namespace, id, nil, payload)
        case .failure(let failure):
            return message(.acknowledgement, namespace, id, nil, try SocketIOFailure.payload(failure))
        }
    }

    private static func message(
        _ kind: SocketIOPacket.Kind, _ namespace: String?, _ id: UInt64?, _ event: String?, _ payload: SocketPayload?
    ) -> [WebSocketMessage] {
        let data = SocketIOArguments.text(event, payload)
        guard let payload, payload.isBinary else {
            return [.text(SocketIOPacket.text(kind, namespace: namespace, id: id, data: data))]
        }
        let binary = kind == .event ? SocketIOPacket.Kind.binaryEvent : .binaryAcknowledgement
        let text = SocketIOPacket.text(binary, attachments: 1, namespace: namespace, id: id, data: data)
        return [.text(text), .binary(payload.bytes)]
    }

    /// Returns the namespace of a topic; nil for none.
    private static func namespace(_ topic: String?) throws(NetError) -> String? {
        guard let topic else { return nil }
        let name = topic.utf8
        guard name.first == UInt8(ascii: "/"), name.count > 1, !name.contains(UInt8(ascii: ",")) else {
            throw SocketWire.unwritable(
                "a topic must be a namespace: a slash followed by a name without commas", by: Self.name
            )
        }
        return topic
    }

    private static func number(_ id: SocketID) throws(NetError) -> UInt64 {
        guard case .number(let number) = id else { throw SocketWire.unsupported("IDs that aren't numbers", by: name) }
        return number
    }
}
