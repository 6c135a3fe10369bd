/// A transport that sends one attempt of a request to a server and returns the response.
///
/// Implement it to send requests in another way, or to respond without a network in tests. `execute` returns once the
/// head has arrived if `context.delivery` is `.streamed`, and with the complete body otherwise. When the body ends, is
/// cancelled or is dropped, everything that the attempt holds is released.
///
///     struct Canned: HTTPTransport {
///         func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
///             StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(Bytes("{}".utf8)))
///         }
///     }
public protocol HTTPTransport: CallPart {
    /// Sends the request. Throws a ``NetError``; `.cancelled` if the task is cancelled.
    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse
    /// Ends every transfer and releases the transport's resources; later calls throw `.shutdown`. By default, does
    /// nothing.
    func shutdown() async
    /// The content codings that this transport decodes; a client sends them in `Accept-Encoding`. Default none.
    ///
    /// Bodies are returned decoded, with `Content-Encoding` left in the head, unless the request's
    /// ``RequestOptions/decodesContent`` is false.
    var contentCodings: [String] { get }
    /// The source of the identity that the transport's connections have on their own, such as that of a client
    /// certificate; nil if they have none, the default. A wrapping transport returns the inner one's source.
    ///
    /// A cache keeps the responses of different identities apart. See ``IdentitySource``.
    var connectionIdentity: (any IdentitySource)? { get }
    /// Returns the connections by origin, sorted; empty for a transport that doesn't know them, the default.
    func connections() async -> [HostConnections]
}

extension HTTPTransport {
    public func connections() async -> [HostConnections] { [] }
    public var contentCodings: [String] { [] }
    public var connectionIdentity: (any IdentitySource)? { nil }
    public func shutdown() async {}
}

/// The delivery of a response's body to the caller.
public enum BodyDelivery: Sendable, Hashable {
    /// The response is returned with its head, while the body is still arriving.
    case streamed
    /// The response is returned with its complete body, so that a transport resumes its caller only once. A body of
    /// more bytes than that throws `.bodyTooLarge`.
    case collected(upTo: Int)
    /// The body is read to its end. At least that many of its first bytes are kept. The rest may be dropped as it
    /// arrives, because the body of an accepted response isn't needed. A transport may also stream the body.
    case drained(keeping: Int)
}
