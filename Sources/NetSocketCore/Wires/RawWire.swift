internal import NetCore

extension SocketWire {
    /// No envelope: a payload is a whole message. For servers with their own message format, such as market feeds.
    ///
    /// ```text
    /// {"method":"SUBSCRIBE","params":["btcusdt@trade"],"id":1}
    /// {"e":"trade","s":"BTCUSDT","p":"0.001"}
    /// ```
    ///
    /// A subscription sends its payload as a message; every message of the server is a push with an empty name,
    /// offered to every subscription. A request without a reply writes its payload but not its name. JSON text becomes
    /// a text message, and bytes become a binary message.
    ///
    /// Limits: there are no requests with replies, channels and heartbeats. Use `SocketClient.Configuration.negotiate`
    /// for a server's first messages, such as a login.
    public static let raw = SocketWire(
        RawWire.name, features: [.notifications, .pushes, .uniformPushes, .subscriptions, .sharedEvents]
    ) { role in RawWire(role: role) }
}

/// One end without an envelope.
struct RawWire: WireMachine {
    static let name = "raw"

    let role: WebSocketRole

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch (signal, role) {
        case (.request(let request), .client) where request.id == nil && request.topic == nil:
            return Self.messages(request.payload)
        case (.push(let push), .server) where push.topic == nil: return Self.messages(push.payload)
        case (.subscribe(_, let payload), .client): return Self.messages(payload)
        // The session sends the message that the subscription creates for its end.
        case (.unsubscribe, .client), (.open, .client), (.opened, .server), (.end, _): return []
        default: throw SocketWire.unsupported(signal, from: role, by: Self.name)
        }
    }

    private static func messages(_ payload: SocketPayload?) -> [WebSocketMessage] {
        guard let payload else { return [] }
        return [payload.json.map { .text($0) } ?? .binary(payload.bytes)]
    }

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        let payload =
            switch message {
            case .text(let text): SocketPayload(json: text)
            case .binary(let bytes): SocketPayload(bytes: bytes)
            }
        return WireReading([
            role == .client
                ? .push(WirePush(event: "", payload: payload)) : .request(WireRequest(event: "", payload: payload))
        ])
    }
}
