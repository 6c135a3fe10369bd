#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// Puts a response on the wire. Every call returns when the kernel has the bytes, so one chunk is in flight at most.
protocol ResponseWriter: Sendable {
    /// Permits the client to send its body.
    func writeContinue() async
    /// Sends the head, and with it the whole body where `body` is given; then nothing else may follow.
    func writeHead(_ head: ResponseOut, body: Bytes?) async throws
    /// Sends a piece of the body. After the last piece of a body of known length no end follows.
    func writeChunk(_ bytes: Bytes, of head: ResponseOut, isLast: Bool) async throws
    /// Ends the body, where no piece was the last.
    func writeEnd(of head: ResponseOut, trailers: HTTPFields?) async throws
    /// Writes bytes past all framing, as they are.
    func writeRaw(_ bytes: [UInt8]) async throws
    /// What raw bytes have to look like.
    var format: WireFormat { get }
    /// Leaves the requests unanswered that come on the connection from now on.
    func ignoreRequests()
    /// Reads nothing more from the connection, until it ends.
    func becomeDeaf() async
    /// Ends the connection without an end of the response, or lets it stand still until the client ends it.
    func drop(_ form: ConnectionDrop.Form) async
}

/// The head of a response about to be sent.
struct ResponseOut: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    /// The length of the body, where it is known.
    var length: Int64?
    /// Whether a body may be sent at all: not for HEAD, 1xx, 204 and 304 (RFC 9110 section 6.4.1).
    var allowsBody: Bool
    /// Whether the connection stays open.
    var keepsAlive: Bool
    /// Whether the peer understands chunked framing.
    var allowsChunked: Bool

    /// The head of a stub's response to a request; `length` is the body's, nil where it is unknown.
    init(_ response: StubResponse, length: Int64?, to request: RequestHead, keepsAlive: Bool) {
        let code = response.status.code
        status = response.status
        headers = response.headers
        allowsBody = request.method != .head && code >= 200 && code != 204 && code != 304
        allowsChunked = request.version != "1.0"
        self.length = response.trailers == nil || !allowsChunked ? length : nil
        // Without a length or chunks the end of the connection is the end of the body.
        let isDelimited = !allowsBody || allowsChunked || self.length != nil || headers[.contentLength] != nil
        let closes = headers[.connection]?.lowercased() == "close"
        if closes { headers[.connection] = nil }
        self.keepsAlive = keepsAlive && isDelimited && !closes
    }

    /// The head of a refusal, which is a text.
    init(_ refusal: Refusal, length: Int) {
        status = refusal.status
        headers = [.contentType: "text/plain; charset=utf-8"]
        self.length = Int64(length)
        (allowsBody, keepsAlive, allowsChunked) = (true, false, false)
    }

    /// Whether the status permits a length (RFC 9110 section 8.6).
    var mayHaveLength: Bool { status.code >= 200 && status.code != 204 && status.code != 304 }

    /// Whether the body goes out in chunked framing on HTTP/1.1.
    var isChunked: Bool { allowsBody && allowsChunked && length == nil && headers[.contentLength] == nil }
}
#endif
