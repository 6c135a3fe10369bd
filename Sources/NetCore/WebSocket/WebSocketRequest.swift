public import HTTPTypes

/// A request to open a WebSocket: its URL, headers, subprotocols and limits.
///
///     var request = WebSocketRequest(url: "wss://example.com/chat")
///     request.subprotocols = ["chat.v2", "chat.v1"]
///     request.fields[.authorization] = "Bearer 1234"
public struct WebSocketRequest: Sendable, Hashable {
    /// The URL, `ws://` or `wss://`, including any secrets. Any other URL is rejected with `.invalidRequest`.
    public var url: String
    /// Headers of the opening handshake, in addition to its own, which can't be set here. Default none.
    public var fields: HTTPFields
    /// The subprotocols that the client supports, the preferred one first (RFC 6455 section 1.9). Default none.
    public var subprotocols: [String]
    /// The maximum size of a received message in bytes. A larger one ends the connection with 1009. Default 1 MiB.
    public var maximumMessageBytes: Int
    /// The limit for DNS, TCP, proxy, TLS and the opening handshake together; nil for no limit. Default 10 s.
    public var connectTimeout: Duration?

    /// Creates a request.
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
