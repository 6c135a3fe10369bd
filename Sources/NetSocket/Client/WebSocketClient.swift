internal import HTTPTypes
public import NetCore
internal import NetSocketCore

/// Opens WebSockets. A value: copies share the transport.
///
///     let client = WebSocketClient()
///     let socket = try await client.connect("wss://example.com/chat")
///     try await socket.send("hello")
///     for try await message in socket.messages { print(message.text ?? "bytes") }
public struct WebSocketClient: Sendable {
    private let transport: any WebSocketTransport
    let environment: CallContext.Environment

    /// Makes a client over a transport. `environment` is the injected world: time, random numbers, redaction.
    public init(transport: any WebSocketTransport, environment: CallContext.Environment = .init()) {
        self.transport = transport
        self.environment = environment
    }

    #if os(Linux)
    /// Makes a client with a libcurl transport of its own.
    public init() {
        self.init(transport: CurlWebSocketTransport())
    }
    #endif

    /// Opens a WebSocket with the defaults. Throws as ``connect(_:)-(WebSocketRequest)`` does.
    public func connect(_ url: String) async throws(NetError) -> WebSocketConnection {
        try await connect(WebSocketRequest(url: url))
    }

    /// Opens a WebSocket and returns when the server has accepted it.
    ///
    /// Throws a ``NetError``: `.invalidRequest` for a bad URL, `.dns`, `.connect`, `.tls`, `.timeout`,
    /// `.unacceptableStatus` with the response when the server answers something else than 101, `.protocolViolation` when
    /// its answer is no handshake (RFC 6455 section 4.1). Cancelling the task throws `.cancelled` and leaves nothing open.
    public func connect(_ request: WebSocketRequest) async throws(NetError) -> WebSocketConnection {
        let context = try context(for: request)
        return WebSocketConnection(try await transport.connect(request, context: context))
    }

    /// Ends every connection of the transport; clients that share it are shut down with it.
    public func shutdown() async {
        await transport.shutdown()
    }

    private func context(for request: WebSocketRequest) throws(NetError) -> CallContext {
        do throws(WebSocketViolation) {
            let url = try WebSocketURL(request.url)
            let head = HTTPRequest(
                method: .get, scheme: url.scheme, authority: url.authority, path: url.path,
                headerFields: request.fields)
            return CallContext(
                for: PreparedRequest(head: head), timeouts: Timeouts(connect: request.connectTimeout),
                environment: environment)
        } catch {
            throw NetError(.invalidRequest, phase: .preparing, message: error.message)
        }
    }
}
