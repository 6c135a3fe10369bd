/// A transport that opens WebSockets: over libcurl on Linux, over URLSession on Apple platforms, or in a custom way. It
/// makes one attempt of an opening handshake, as an ``HTTPTransport`` makes one of any other request.
///
///     struct Refusing: WebSocketTransport {
///         func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
///             .refused(StreamedResponse(head: ResponseHead(status: .forbidden)))
///         }
///     }
public protocol WebSocketTransport: CallPart {
    /// Sends an opening handshake and returns the server's answer: an open WebSocket, or another response.
    ///
    /// The request's scheme is `http` or `https`; subprotocols and limits are in ``RequestOptions/webSocket``. The headers
    /// of the handshake itself, such as `Upgrade`, aren't in the request: the transport adds them, and drops what the
    /// request has in their place. ``Timeouts/connect`` limits the attempt.
    ///
    /// Throws a ``NetError``: `.dns`, `.connect`, `.tls`, `.timeout`, `.protocolViolation` if a response 101 isn't a valid
    /// handshake, `.cancelled` if the task is cancelled. A transport that can't show the response throws
    /// `.unacceptableStatus`; redirects and challenges can't be followed then.
    func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening
    /// Ends every connection and releases the transport's resources; later calls throw `.shutdown`. By default, does
    /// nothing.
    func shutdown() async
}

extension WebSocketTransport {
    public func shutdown() async {}
}

/// A server's answer to an opening handshake.
public enum WebSocketOpening: Sendable {
    /// The server accepted: the WebSocket is open.
    case opened(any WebSocketLink)
    /// The server responded with a status other than 101.
    case refused(StreamedResponse)
}
