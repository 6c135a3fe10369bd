#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// Writes a response to the connection. Every call returns when the kernel has accepted the bytes, so at most one chunk
/// is in flight.
protocol ResponseWriter: Sendable {
    /// Permits the client to send its body.
    func writeContinue() async
    /// Sends the head, together with the whole body if `body` is given; then nothing else may follow.
    func writeHead(_ head: ResponseOut, body: Bytes?) async throws
    /// Sends a piece of the body. After the last piece of a body of known length, ``writeEnd(of:trailers:)`` isn't
    /// called.
    func writeChunk(_ bytes: Bytes, of head: ResponseOut, isLast: Bool) async throws
    /// Ends the body, unless a piece was marked as the last.
    func writeEnd(of head: ResponseOut, trailers: HTTPFields?) async throws
    /// Writes bytes as they are, bypassing all framing.
    func writeRaw(_ bytes: [UInt8]) async throws
    /// The format of raw bytes.
    var format: WireFormat { get }
    /// Ignores later requests on the connection.
    func ignoreRequests()
    /// Stops reading from the connection, until it ends.
    func becomeDeaf() async
    /// Ends the connection without completing the response, or stalls until the client ends it.
    func drop(_ form: ConnectionDrop.Form) async
}

/// The head of a response about to be sent.
struct ResponseOut: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    /// The length of the body; nil if unknown.
    var length: Int64?
    /// True if a body may be sent: not for HEAD, 1xx, 204 and 304 (RFC 9110 section 6.4.1).
    var allowsBody: Bool
    /// True if the connection stays open.
    var keepsAlive: Bool
    /// True if the peer supports chunked framing.
    var allowsChunked: Bool

    /// Creates the head of a stub's response to a request; `length` is the length of the body, nil if unknown.
    init(_ response: StubResponse, length: Int64?, to request: RequestHead, keepsAlive: Bool) {
        let code = response.status.code
        status = response.status
        headers = response.headers
        allowsBody = request.method != .head && code >= 200 && code != 204 && code != 304
        allowsChunked = request.version != "1.0"
        self.length = response.trailers == nil || !allowsChunked ? length : nil
        // Without a length or chunks, the end of the connection ends the body.
        let isDelimited = !allowsBody || allowsChunked || self.length != nil || headers[.contentLength] != nil
        let closes = headers[.connection]?.lowercased() == "close"
        if closes { headers[.connection] = nil }
        self.keepsAlive = keepsAlive && isDelimited && !closes
    }

    /// Creates the head of a refusal, whose body is text.
    init(_ refusal: Refusal, length: Int) {
        status = refusal.status
        headers = [.contentType: "text/plain; charset=utf-8"]
        self.length = Int64(length)
        (allowsBody, keepsAlive, allowsChunked) = (true, false, false)
    }

    /// True if the status permits a length (RFC 9110 section 8.6).
    var mayHaveLength: Bool { status.code >= 200 && status.code != 204 && status.code != 304 }

    /// True if the body is sent in chunked framing on HTTP/1.1.
    var isChunked: Bool { allowsBody && allowsChunked && length == nil && headers[.contentLength] == nil }
}
#endif
