/// A transport that opens WebSockets: over libcurl on Linux, over URLSession on Apple platforms, or in a custom way.
/// It makes one attempt of an opening handshake, as an ``HTTPTransport`` does for other requests.
///
///     struct Refusing: WebSocketTransport {
///         func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
///             .refused(StreamedResponse(head: ResponseHead(status: .forbidden)))
///         }
///     }
public protocol WebSocketTransport: CallPart {
    /// Sends an opening handshake and returns the server's response: an open WebSocket, or a refusal.
    ///
    /// The request's scheme is `http` or `https`; subprotocols and limits are in ``RequestOptions/webSocket``. The
    /// transport adds the headers of the handshake itself, such as `Upgrade`, and ignores such headers in the
    /// request. ``Timeouts/connect`` limits the attempt.
    ///
    /// Throws a ``NetError``: `.dns`, `.connect`, `.tls`, `.timeout`, `.protocolViolation` if a response 101 isn't a
    /// valid handshake, `.cancelled` if the task is cancelled. A transport that can't return the response of a
    /// refusal throws `.unacceptableStatus`; redirects and challenges can't be followed in that case.
    func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening
    /// Ends every connection and releases the transport's resources; later calls throw `.shutdown`. By default, does
    /// nothing.
    func shutdown() async
}

extension WebSocketTransport {
    public func shutdown() async {}
}

/// A server's response to an opening handshake.
public enum WebSocketOpening: Sendable {
    /// The server accepted: the WebSocket is open.
    case opened(any WebSocketLink)
    /// The server responded with a status other than 101.
    case refused(StreamedResponse)
}
