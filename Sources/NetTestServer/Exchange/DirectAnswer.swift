#if Server
internal import HTTPTypes
internal import NIOCore
internal import NetCore
internal import NetTesting

/// Responds on the event loop to requests that need no task: those without a body whose stub is found by method and
/// path and has a small fixed response. Everything else is an ``Exchange``.
struct DirectAnswer: Sendable {
    let core: ServerCore
    /// The number of the connection.
    let connection: Int

    /// Indicates whether a direct response is possible, as far as the head shows.
    static func isPossible(for head: RequestHead) -> Bool {
        guard head.keepsAlive, head.version == "1.1", !head.expectsContinue, head.headers[.upgrade] == nil else {
            return false
        }
        // A request that announces a body isn't eligible: its end may take long to arrive.
        let length = head.headers[.contentLength]
        return (length == nil || length == "0") && head.headers[.transferEncoding] == nil
    }

    /// Returns the whole response, and logs it as sent; nil if an ``Exchange`` has to find the response.
    func response(to head: RequestHead, _ allocator: ByteBufferAllocator) -> ByteBuffer? {
        let request = StubRequest(
            method: head.method, target: head.target, authority: head.authority, headers: head.headers)
        guard let match = core.stubs.matchPlain(request), case .fixed(let response) = match.stub.answer,
            let body = response.body.whole
        else { return nil }
        let out = ResponseOut(response, length: Int64(body.count), to: head, keepsAlive: true)
        let now = core.clock.now()
        core.log.add { number in
            var entry = LoggedRequest(number: number, connection: connection, stream: nil, head: head, start: now)
            entry.bodySHA256 = LoggedRequest.emptyBodySHA256
            entry.stub = match.label
            entry.status = response.status.code
            entry.bytesWritten = out.allowsBody ? Int64(body.count) : 0
            entry.end = now
            entry.outcome = .completed
            return entry
        }
        return HTTP1Writer.encode(out, body: body, allocator)
    }
}
#endif
