import HTTPTypes
import NetTesting
import TestSupport

@testable import NetCore

/// One call whose chain consists only of its transport.
struct CapturedCall {
    let request: PreparedRequest
    let context: CallContext

    init(
        _ path: String = "/x", method: HTTPRequest.Method = .get, headers: HTTPFields = [:],
        body: RequestBody.Content = .none, redaction: RedactionPolicy? = nil, delivery: BodyDelivery = .streamed,
        clock: TestClock = TestClock(), to listeners: any ActivityListener...
    ) {
        var options = RequestOptions()
        options.redaction = redaction
        request = PreparedRequest(
            head: HTTPRequest(method: method, scheme: "https", authority: "h", path: path, headerFields: headers),
            body: body, options: options)
        context = CallContext(
            for: request, delivery: delivery, timeouts: Timeouts(firstByte: nil, stall: nil),
            environment: CallContext.Environment(clock: clock.netClock, listeners: listeners))
    }

    func send(_ transport: any HTTPTransport) async throws(NetError) -> StreamedResponse {
        try await Next(transport)(request, context)
    }

    @discardableResult
    func read(_ transport: any HTTPTransport) async throws(NetError) -> String {
        let response = try await send(transport)
        return String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    }
}

/// A source that counts its reads.
final class CountedSource: BodySource {
    private let left: Locked<[Bytes]>
    private let counts = Locked((asked: 0, cancelled: 0))

    init(_ chunks: [Bytes]) { left = Locked(chunks) }

    var asked: Int { counts.value.asked }
    var isCancelled: Bool { counts.value.cancelled > 0 }

    func next() async throws(NetError) -> Bytes? {
        counts.change { $0.asked += 1 }
        var chunk: Bytes?
        left.change { if !$0.isEmpty { chunk = $0.removeFirst() } }
        return chunk
    }

    func cancel() { counts.change { $0.cancelled += 1 } }
}

/// Responds with a body from a source.
struct SourceTransport: HTTPTransport {
    let source: any BodySource
    var headers: HTTPFields = [.contentType: "text/plain"]

    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        StreamedResponse(head: ResponseHead(status: .ok, headers: headers), body: ResponseBody(source: source))
    }
}
