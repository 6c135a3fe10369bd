/// Carries one attempt of a request to a server and brings the response back.
///
/// Implement it to send over something of your own, or to answer without a network in tests. `execute` returns at the
/// head when `context.delivery` is `.streamed`, and with the complete body otherwise; the body's end, its
/// cancellation and its being dropped free everything the attempt holds.
///
///     struct Canned: HTTPTransport {
///         func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
///             StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(Bytes("{}".utf8)))
///         }
///     }
public protocol HTTPTransport: Sendable {
    /// Sends the request. Throws a ``NetError``; `.cancelled` when the task is cancelled.
    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse
    /// Ends every transfer and frees the transport; later calls throw `.shutdown`. Default: nothing.
    func shutdown() async
    /// The content codings that this transport decodes; a client offers them in `Accept-Encoding`. Default none.
    ///
    /// Bodies are handed out decoded, `Content-Encoding` left in the head, unless the request's
    /// ``RequestOptions/decodesContent`` is false.
    var contentCodings: [String] { get }
}

extension HTTPTransport {
    public var contentCodings: [String] { [] }
    public func shutdown() async {}
}

/// How a call wants its body.
public enum BodyDelivery: Sendable, Hashable {
    /// At the head, the body still arriving.
    case streamed
    /// Complete, at most that many bytes: lets a transport resume its caller once.
    case collected(upTo: Int)
    /// To its end, but at least that many first bytes kept and the rest dropped as it comes: nobody reads the body of an
    /// answer that is accepted. A transport may also stream it.
    case drained(keeping: Int)
}
