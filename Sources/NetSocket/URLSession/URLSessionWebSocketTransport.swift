#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import HTTPTypes
public import NetCore

#if canImport(Darwin)
public import Foundation
#else
internal import Foundation
#endif

/// Opens WebSockets with URLSession, on Apple platforms.
///
/// Redirects, cookies, caches and stored credentials of URLSession are off: the client's middleware handles all of
/// these. docs/transports.md lists the differences from `CurlWebSocketTransport`. The main ones: URLSession offers no
/// compression, so ``NetCore/WebSocketLink/compression`` is always nil, and it doesn't report bytes, so
/// ``NetCore/WebSocketLink/silence`` is the time since the last message or pong.
///
/// ```swift
/// let client = WebSocketClient(transport: URLSessionWebSocketTransport())
/// let socket = try await client.connect("wss://example.com/chat")
/// ```
///
/// When the last client that uses the transport is released, the URLSession is invalidated once its WebSockets have
/// ended.
public struct URLSessionWebSocketTransport: WebSocketTransport {
    private let core: URLSessionSocketCore

    /// Creates a transport with its own URLSession.
    ///
    /// - Parameters:
    ///   - configuration: The TLS versions and the limits.
    ///   - customize: Changes the session's own settings first, such as proxies or cellular access. Cookies, caches,
    ///     credentials and timeouts are set afterward.
    public init(
        configuration: Configuration = Configuration(), customize: (URLSessionConfiguration) -> Void = { _ in }
    ) {
        let settings = URLSessionConfiguration.ephemeral
        customize(settings)
        core = URLSessionSocketCore(configuration, settings)
    }

    public var endsWithCall: Bool { true }

    /// Sends an opening handshake and returns the server's response.
    ///
    /// Throws a ``NetError``: `.dns`, `.connect`, `.tls`, `.timeout` after ``NetCore/Timeouts/connect`` on the
    /// context's clock, `.protocolViolation`, `.unsupported` for a setting that URLSession doesn't have, and
    /// `.shutdown` after ``shutdown()``. Cancelling the task throws `.cancelled` and leaves nothing open. The response
    /// of a refused handshake has no body.
    public func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
        try NetworkAccess.check(request.head.authority, context: context)
        return try await core.connect(request, context)
    }

    /// Ends every WebSocket with `.shutdown`; later calls throw `.shutdown`.
    public func shutdown() async { core.shutdown() }

    /// The number of connections that are being opened or are open.
    public var openConnections: Int { core.router.count }
}

extension URLSessionWebSocketTransport: CustomReflectable {
    /// The number of connections, without the session's settings, which may contain passwords of proxies.
    public var customMirror: Mirror {
        Mirror(self, children: ["openConnections": openConnections], displayStyle: .struct)
    }
}
#endif
