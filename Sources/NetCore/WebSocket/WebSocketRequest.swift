public import HTTPTypes

/// A request to open a WebSocket: its destination, headers, subprotocols and limits.
///
/// The opening handshake is a GET request over http or https (RFC 6455 section 4.1), and a call like any other:
/// middleware, cookies, credentials and redirects apply to it. `ws` and `wss` mean `http` and `https`.
///
///     var request = WebSocketRequest("rooms/7", query: ["since": 42])
///     request.subprotocols = ["chat.v2", "chat.v1"]
///     let elsewhere = WebSocketRequest(url: "wss://example.com/chat")
public struct WebSocketRequest: Sendable {
    /// The path, relative to the client's base URL; ignored if ``options`` have an absolute URL.
    public var path: Path
    /// The query, appended to the URL's own. Default none.
    public var query: QueryItems
    /// Headers of the opening handshake, in addition to its own, which can't be set here. Each replaces all of the
    /// client's headers with its name. Default none.
    public var headers: HTTPFields
    /// The subprotocols that the client supports, the preferred one first (RFC 6455 section 1.9). Each must be a
    /// token (RFC 9110 section 5.6.2). Default none.
    public var subprotocols: [String]
    /// A subprotocol that contains a secret, offered after the others: for servers that read a token there because
    /// browsers can't send headers. It must be a token (RFC 9110 section 5.6.2). It is never shown, and redirects
    /// don't send it to another origin. Default none.
    public var secretSubprotocol: String?
    /// The maximum size of a received message in bytes, after decompression. A larger message ends the connection
    /// with 1009. Default 1 MiB.
    public var maximumMessageBytes: Int
    /// The compression to offer to the server (RFC 7692). Default nil: none.
    public var compression: WebSocketCompression?
    /// The detection of a dead server while the WebSocket is open; nil for none. Default: a ping after 30 s of silence;
    /// if nothing arrives within another 15 s, the connection ends.
    public var liveness: WebSocketLiveness? = WebSocketLiveness()
    /// The options of the call: timeouts, redirects, middleware, metadata and redaction of this request.
    ///
    /// ``Timeouts/connect`` limits one attempt from DNS to the server's response; ``Timeouts/total`` limits the whole
    /// call, which ends when the server has accepted the WebSocket.
    public var options: RequestOptions

    /// Creates a request to a path of the client's base URL.
    public init(
        _ path: Path, query: QueryItems = [], headers: HTTPFields = [:], subprotocols: [String] = [],
        maximumMessageBytes: Int = 1 << 20, options: RequestOptions = RequestOptions()
    ) {
        self.path = path
        self.query = query
        self.headers = headers
        self.subprotocols = subprotocols
        self.maximumMessageBytes = maximumMessageBytes
        self.options = options
    }

    /// Creates a request to an absolute URL: `ws://`, `wss://`, `http://` or `https://`. A path that begins with `/`
    /// continues the client's base URL. An invalid URL throws `.invalidRequest` when the request is used.
    ///
    /// - Parameters:
    ///   - url: The absolute URL, or a path.
    ///   - query: Query items to add to those of the URL. Default none.
    ///   - headers: Headers of the handshake. Default none.
    ///   - subprotocols: The subprotocols to offer, the preferred one first. Default none.
    ///   - maximumMessageBytes: The maximum size of a received message in bytes. Default 1 MiB.
    ///   - connectTimeout: The limit for one attempt, from DNS to the server's response. Default: the client's.
    public init(
        url: some URLConvertible, query: QueryItems = [], headers: HTTPFields = [:], subprotocols: [String] = [],
        maximumMessageBytes: Int = 1 << 20, connectTimeout: Duration? = Timeouts.inherited
    ) {
        var options = RequestOptions()
        options.absoluteURL = url.urlText
        if connectTimeout != Timeouts.inherited { options.timeouts = Timeouts(connect: connectTimeout) }
        self.init(
            "", query: query, headers: headers, subprotocols: subprotocols, maximumMessageBytes: maximumMessageBytes,
            options: options)
    }
}
