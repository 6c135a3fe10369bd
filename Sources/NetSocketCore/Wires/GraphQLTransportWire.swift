internal import NetCore

extension SocketWire {
    /// GraphQL over WebSocket, with the subprotocol `graphql-transport-ws`: the protocol of the `graphql-ws` library
    /// and of current GraphQL servers, described in its
    /// [PROTOCOL.md](https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
    ///
    /// ```text
    /// {"type":"connection_init","payload":{"token":"…"}}
    /// {"type":"connection_ack"}
    /// {"id":"1","type":"subscribe","payload":{"query":"subscription { stars }"}}
    /// {"id":"1","type":"next","payload":{"data":{"stars":5}}}
    /// {"id":"1","type":"complete"}
    /// ```
    ///
    /// The payload of a subscription is an object with `query`, and optionally `variables`, `operationName` and
    /// `extensions`; the payload of an event is a result with `data` and `errors`. A subscription that fails ends with
    /// a list of errors: the failure has the message and the `extensions.code` of the first one (`error` if it has
    /// none), and the list as details. Both ends may send heartbeats (`ping`); the response is `pong`.
    ///
    /// Limits: there are no requests, pushes and channels. A server doesn't confirm a subscription: `.subscribed`
    /// writes nothing. `.end` writes nothing either, because the protocol ends by closing the WebSocket. A server
    /// closes with 4400 for an invalid message, 4401 for a subscription before the acknowledgment, 4403 to refuse the
    /// opening message, 4406 if it doesn't support the subprotocol, 4408 if the opening message is late, 4409 if a
    /// subscription with this ID is open, and 4429 for a second opening message. A client shouldn't reconnect
    /// automatically after these.
    public static let graphQLTransport = SocketWire(
        GraphQLTransportWire.name, subprotocols: ["graphql-transport-ws"],
        features: [.subscriptions, .heartbeats, .opening], unreadableCode: GraphQLMessage.unreadableCode
    ) { role in GraphQLTransportWire(role: role) }
}

/// One end of `graphql-transport-ws`.
///
/// | message | client reads | server reads |
/// |---|---|---|
/// | `connection_init` | – | open |
/// | `connection_ack` | opened | – |
/// | `subscribe` | – | subscribe |
/// | `next` | event | – |
/// | `error` | completed with a failure | – |
/// | `complete` | completed | unsubscribe |
/// | `ping` | heartbeat, with a response | heartbeat, with a response |
/// | `pong` | alive | alive |
struct GraphQLTransportWire: WireMachine {
    static let name = "graphql-transport-ws"

    let role: WebSocketRole

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch (signal, role) {
        case (.open(let payload), .client): try Self.write("connection_init", nil, payload)
        case (.opened(let opened), .server): try Self.write("connection_ack", nil, opened.payload)
        case (.subscribe(let id, let payload), .client): try Self.write("subscribe", id, payload)
        case (.subscribed, .server): []
        case (.event(let id, let payload), .server): try Self.write("next", id, payload)
        case (.completed(let id, let failure?), .server):
            try Self.write("error", id, GraphQLErrors.list.payload(failure, by: Self.name))
        case (.completed(let id, nil), .server), (.unsubscribe(let id), .client): try Self.write("complete", id)
        case (.heartbeat, _): try Self.write("ping")
        case (.alive, _): try Self.write("pong")
        case (.end, _): []
        default: throw SocketWire.unsupported(signal, from: role, by: Self.name)
        }
    }

    private static func write(
        _ type: String, _ id: SocketID? = nil, _ payload: SocketPayload? = nil
    ) throws(NetError) -> [WebSocketMessage] {
        try GraphQLMessage.write(type, id, payload, by: name)
    }

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        let message = try GraphQLMessage(message, at: role, by: Self.name)
        let signal: WireSignal =
            switch (message.type, role) {
            case ("connection_init", .server): .open(message.optionalPayload?.payload)
            case ("connection_ack", .client): .opened(WireOpened(payload: message.optionalPayload?.payload))
            case ("subscribe", .server): .subscribe(try message.id, try message.payload)
            case ("next", .client): .event(try message.id, try message.payload)
            case ("error", .client): .completed(try message.id, message.failure)
            case ("complete", .client): .completed(try message.id, nil)
            case ("complete", .server): .unsubscribe(try message.id)
            case ("ping", _): .heartbeat(nil)
            case ("pong", _): .alive(nil)
            default: throw message.unexpected
            }
        guard case .heartbeat = signal else { return WireReading([signal]) }
        // The payload of a ping is sent back: some peers measure the round trip with it.
        return WireReading([signal], responses: try Self.write("pong", nil, message.optionalPayload?.payload))
    }
}
