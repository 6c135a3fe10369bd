public import HTTPTypes

/// A WebSocket to open: where, with which fields and subprotocols, within which limits.
///
///     var request = WebSocketRequest(url: "wss://example.com/chat")
///     request.subprotocols = ["chat.v2", "chat.v1"]
///     request.fields[.authorization] = "Bearer 1234"
public struct WebSocketRequest: Sendable, Hashable {
    /// The address, `ws://` or `wss://`, secrets and all. Anything else is refused with `.invalidRequest`.
    public var url: String
    /// Fields of the opening handshake beside its own, which cannot be set here.
    public var fields: HTTPFields
    /// Subprotocols that the client speaks, the preferred one first (RFC 6455 section 1.9). Default none.
    public var subprotocols: [String]
    /// The largest message that is accepted, in bytes. A larger one ends the connection with 1009. Default 1 MiB.
    public var maximumMessageBytes: Int
    /// DNS, TCP, proxy, TLS and the opening handshake together. nil for no limit. Default 10 s.
    public var connectTimeout: Duration?

    /// Takes the parts.
    public init(
        url: String, fields: HTTPFields = [:], subprotocols: [String] = [], maximumMessageBytes: Int = 1 << 20,
        connectTimeout: Duration? = .seconds(10)
    ) {
        self.url = url
        self.fields = fields
        self.subprotocols = subprotocols
        self.maximumMessageBytes = maximumMessageBytes
        self.connectTimeout = connectTimeout
    }
}
