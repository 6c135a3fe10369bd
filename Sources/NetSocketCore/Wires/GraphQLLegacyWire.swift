internal import NetCore

extension SocketWire {
    /// The older protocol of GraphQL over WebSocket, with the subprotocol `graphql-ws`: that of the library
    /// subscriptions-transport-ws 0.9–0.11, described in its
    /// [PROTOCOL.md](https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md). Use
    /// ``graphQLTransport`` for servers that support it.
    ///
    /// ```text
    /// {"type":"connection_init","payload":{"token":"…"}}
    /// {"type":"connection_ack"}
    /// {"id":"1","type":"start","payload":{"query":"subscription { stars }"}}
    /// {"id":"1","type":"data","payload":{"data":{"stars":5}}}
    /// {"id":"1","type":"stop"}
    /// {"id":"1","type":"complete"}
    /// ```
    ///
    /// A failure is one GraphQL error: its message, its `extensions.code` (`error` if it has none), and the error as
    /// details. A client reads `connection_error` as a refusal, after which it shouldn't reconnect automatically.
    ///
    /// Limits: there are no requests, pushes and channels. A server doesn't confirm a subscription: `.subscribed`
    /// writes nothing. Only a server sends heartbeats (`ka`), unsolicited, by `.alive`; neither end can request one,
    /// so the features don't include heartbeats. A server's regular end writes nothing.
    public static let graphQLLegacy = SocketWire(
        GraphQLLegacyWire.Dialect.original.rawValue, subprotocols: ["graphql-ws"],
        features: [.subscriptions, .opening],
        unreadableCode: GraphQLMessage.unreadableCode
    ) { role in GraphQLLegacyWire(role: role, dialect: .original) }

    /// The real-time protocol of AWS AppSync for GraphQL subscriptions, described in [Building a real-time WebSocket
    /// client](https://docs.aws.amazon.com/appsync/latest/devguide/real-time-websocket-client.html): the older GraphQL
    /// protocol (``graphQLLegacy``) with confirmed subscriptions and a maximum silence.
    ///
    /// ```text
    /// {"type":"connection_init"}
    /// {"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}
    /// {"id":"1","type":"start","payload":{"data":"{\"query\":\"…\",\"variables\":{}}",
    ///  "extensions":{"authorization":{"host":"…"}}}}
    /// {"id":"1","type":"start_ack"}
    /// {"id":"1","type":"data","payload":{"data":{"stars":5}}}
    /// ```
    ///
    /// The URL is that of the real-time endpoint, with `header` and `payload` in Base64 as query items. The payload of
    /// a subscription is written as given by the caller: `data` is a string that contains the query as JSON, and
    /// `extensions.authorization` contains the credentials. A failure has the `errorType` as its code, or `errorCode`
    /// if there is none.
    ///
    /// Limits: as for ``graphQLLegacy``. The maximum silence is a whole number of milliseconds. A client's end writes
    /// nothing.
    public static let appSync = SocketWire(
        GraphQLLegacyWire.Dialect.appSync.rawValue, subprotocols: ["graphql-ws"], features: [.subscriptions, .opening],
        serverHeartbeat: ServerHeartbeat(.alive(nil), every: .seconds(60), maximumSilence: .seconds(300)),
        unreadableCode: GraphQLMessage.unreadableCode
    ) { role in GraphQLLegacyWire(role: role, dialect: .appSync) }
}

/// One end of the older `graphql-ws`, or of AppSync's protocol.
///
/// | message | client reads | server reads |
/// |---|---|---|
/// | `connection_init` | – | open |
/// | `connection_ack` | opened | – |
/// | `connection_error` | end with a failure | – |
/// | `connection_terminate` (not AppSync) | – | end |
/// | `start` | – | subscribe |
/// | `start_ack` (AppSync) | subscribed | – |
/// | `data` | event | – |
/// | `error` | completed with a failure | – |
/// | `complete` | completed | – |
/// | `stop` | – | unsubscribe |
/// | `ka` | alive | – |
struct GraphQLLegacyWire: WireMachine {
    /// A protocol of this family, by name.
    enum Dialect: String {
        case original = "graphql-ws"
        case appSync = "appsync"
    }

    let role: WebSocketRole
    let dialect: Dialect

    private var name: String { dialect.rawValue }
    private var errors: GraphQLErrors { dialect == .appSync ? .typed : .single }

    // MARK: Writing

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch (signal, role) {
        case (.open(let payload), .client): try write("connection_init", nil, payload)
        case (.opened(let opened), .server): try write("connection_ack", nil, acknowledgement(opened))
        case (.subscribe(let id, let payload), .client): try write("start", id, payload)
        case (.subscribed(let id), .server): dialect == .appSync ? try write("start_ack", id) : []
        case (.event(let id, let payload), .server): try write("data", id, payload)
        case (.completed(let id, let failure?), .server):
            try write("error", id, errors.payload(failure, by: name))
        case (.completed(let id, nil), .server): try write("complete", id)
        case (.unsubscribe(let id), .client): try write("stop", id)
        case (.alive, .server): try write("ka")
        case (.end(let end), .server):
            if let failure = end.failure {
                try write("connection_error", nil, errors.payload(failure, by: name))
            } else {
                []
            }
        case (.end, .client): dialect == .original ? try write("connection_terminate") : []
        default: throw SocketWire.unsupported(signal, from: role, by: name)
        }
    }

    private func acknowledgement(_ opened: WireOpened) throws(NetError) -> SocketPayload? {
        guard dialect == .appSync, let silence = opened.heartbeat else { return opened.payload }
        return try .object(
            opened.payload, adding: Self.silence, String(silence.inMillisecondsRoundedUp), by: name)
    }

    private static let silence: String = "connectionTimeoutMs"

    private func write(
        _ type: String, _ id: SocketID? = nil, _ payload: SocketPayload? = nil
    ) throws(NetError) -> [WebSocketMessage] {
        try GraphQLMessage.write(type, id, payload, by: name)
    }

    // MARK: Reading

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        let message = try GraphQLMessage(message, at: role, by: name)
        let signal: WireSignal =
            switch (message.type, role) {
            case ("connection_init", .server): .open(message.optionalPayload?.payload)
            case ("connection_ack", .client): .opened(opened(message.optionalPayload))
            case ("connection_error", .client): .end(WireEnd(message.failure, mayReconnect: false))
            case ("connection_terminate", .server) where dialect == .original: .end(WireEnd())
            case ("start", .server): .subscribe(try message.id, try message.payload)
            case ("start_ack", .client) where dialect == .appSync: .subscribed(try message.id)
            case ("data", .client): .event(try message.id, try message.payload)
            case ("error", .client): .completed(try message.id, message.failure)
            case ("complete", .client): .completed(try message.id, nil)
            case ("stop", .server): .unsubscribe(try message.id)
            case ("ka", .client): .alive(nil)
            default: throw message.unexpected
            }
        return WireReading([signal])
    }

    private func opened(_ payload: JSONSlice?) -> WireOpened {
        guard dialect == .appSync, let payload, let silence = payload[Self.silence]?.integer else {
            return WireOpened(payload: payload?.payload)
        }
        let hasMore = (try? payload.members().count) != 1
        return WireOpened(payload: hasMore ? payload.payload : nil, heartbeat: .milliseconds(Int64(clamping: silence)))
    }
}
