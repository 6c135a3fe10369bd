internal import NetClient
public import NetCore

/// Opens WebSockets. A value: copies share connections, events and counters.
///
/// The opening handshake is a call like any other (RFC 6455 section 4.1): it passes through the client's middleware,
/// follows redirects, reports events, and ends when the server has accepted the WebSocket. Everything after that
/// belongs to the ``WebSocketConnection``.
///
///     let client = WebSocketClient(baseURL: "wss://example.com")
///     let socket = try await client.connect(WebSocketRequest("chat", query: ["room": 7]))
///     try await socket.send("hello")
///     for try await message in socket.messages { print(message.text ?? "bytes") }
public struct WebSocketClient: Sendable {
    let core: ClientCore

    /// Creates a client that opens its WebSockets over `transport`.
    public init(configuration: Configuration = Configuration(), transport: any WebSocketTransport) {
        core = ClientCore(configuration.settings, transport: HandshakeTransport(transport))
    }

    #if os(Linux) || canImport(Darwin)
    /// Creates a client with its own transport: libcurl's on Linux, URLSession's on Apple platforms.
    public init(configuration: Configuration = Configuration()) {
        #if os(Linux)
        self.init(configuration: configuration, transport: CurlWebSocketTransport())
        #else
        self.init(configuration: configuration, transport: URLSessionWebSocketTransport())
        #endif
    }

    /// Creates a client with the default configuration and its own transport, as ``init(configuration:)`` does. If the
    /// URL is invalid, opening a WebSocket throws `.invalidRequest`.
    public init(baseURL: some URLConvertible) {
        self.init(configuration: Configuration(baseURL: BaseURL(unchecked: baseURL)))
    }

    /// Creates a client with its own transport, as ``init(configuration:)`` does. `configure` changes the default
    /// configuration; its errors are rethrown.
    public init(baseURL: some URLConvertible, configure: (inout Configuration) throws -> Void) rethrows {
        var configuration = Configuration(baseURL: BaseURL(unchecked: baseURL))
        try configure(&configuration)
        self.init(configuration: configuration)
    }
    #endif

    /// Opens a WebSocket at an absolute URL, with the default options. Throws like ``connect(_:)-(WebSocketRequest)``.
    public func connect(_ url: some URLConvertible) async throws(NetError) -> WebSocketConnection {
        try await connect(WebSocketRequest(url: url))
    }

    /// Opens a WebSocket and returns when the server has accepted it.
    ///
    /// Throws a ``NetError``: `.invalidRequest` for a request that can't be prepared, `.dns`, `.connect`, `.tls`,
    /// `.timeout`, `.unacceptableStatus` with the response if the server's last response isn't 101,
    /// `.protocolViolation` if a response 101 isn't a valid handshake (RFC 6455 section 4.1), and errors that
    /// middleware throws. Cancelling the task throws `.cancelled` and leaves nothing open. Once this function has
    /// returned, neither cancellation nor a timeout of the call ends the WebSocket.
    public func connect(_ request: WebSocketRequest) async throws(NetError) -> WebSocketConnection {
        try await connect(request, nil)
    }

    /// Opens a WebSocket of a session. The session's recorder is notified of the call.
    func connect(_ request: WebSocketRequest, _ recorder: SessionRecorder?) async throws(NetError)
        -> WebSocketConnection
    {
        let prepared = try core.prepareCall(HandshakeRequest(request))
        let call = core.begin(prepared, delivery: .collected(upTo: RejectedResponse.streamedBytes))
        recorder?.connects(to: call.context.summary.url, call: call.context.id)
        return try await HandshakeCall(call).connection()
    }

    /// Returns the request of the opening handshake as middleware receives it, without the headers that the handshake
    /// itself adds. Throws `.invalidRequest`, or the error of a modifier.
    public func prepare(_ request: WebSocketRequest) throws(NetError) -> PreparedRequest {
        try core.prepare(HandshakeRequest(request))
    }

    /// The number of unfinished handshakes.
    public var unfinishedCalls: Int { core.calls.count }

    /// The events of all handshakes from now on, for one consumer. The newest 100 are buffered for a slow consumer;
    /// older ones are dropped. The stream ends when the client is shut down.
    public var activity: AsyncStream<ActivityEvent> { activity(buffering: .standard) }

    /// Returns the events of all handshakes from now on, with a buffer of another size.
    public func activity(buffering: ActivityBuffering) -> AsyncStream<ActivityEvent> { core.hub.subscribe(buffering) }

    /// The handshakes that begin from now on, each as one value when it has ended. The newest 100 are buffered for a
    /// slow consumer; the stream ends when the client is shut down.
    public var traces: AsyncStream<CallTrace> { core.hub.subscribeToTraces(.standard) }

    /// Ends every opening handshake with `.cancelled`. Open WebSockets stay open.
    public func cancelAll() { core.cancelAll() }

    /// Ends opening handshakes with `.shutdown`, then every WebSocket of the transport. This also shuts down other
    /// clients that share the transport.
    ///
    /// - Parameter grace: The time in which handshakes may end by themselves, on the client's clock. Default zero.
    public func shutdown(grace: Duration = .zero) async { await core.shutdown(grace: grace) }
}
