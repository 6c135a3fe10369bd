import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// The trace in the metadata of a request.
@Suite(.timeLimit(.minutes(1))) struct RequestTraceTests {
    private let first = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    private let second = "00-11111111111111111111111111111111-2222222222222222-01"

    @Test func theTraceOfTheRequestGoesBeforeThatOfTheTask() async throws {
        let transport = MockTransport([Stub(nil, "/x", .text("ok"))])
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.middleware = [TracePropagationMiddleware()]
        }
        let own = try #require(TraceContext(headers: [.traceParent: first, .traceState: "a=1", .baggage: "k=v"]))
        var metadata = RequestMetadata(name: "stock", tags: ["shop"])
        metadata.traceContext = own
        let request = Request<String>("x", options: RequestOptions(metadata: metadata), serializer: .string)
        try await TraceContext.$current.withValue(TraceContext(headers: [.traceParent: second])) {
            try await client.send(request)
            try await client.send(Request<String>("x", serializer: .string))
        }
        let sent = transport.journal.requests.map(\.headers)
        #expect(sent[0][.traceParent]?.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-") == true)
        #expect(sent[0][.traceParent] != first, "each attempt has its own parent ID")
        #expect(sent[0][.traceState] == "a=1")
        #expect(sent[0][.baggage] == "k=v")
        #expect(sent[1][.traceParent]?.hasPrefix("00-11111111111111111111111111111111-") == true)
        var dumped = ""
        dump(metadata, to: &dumped)
        #expect(dumped.contains("stock"))
        #expect(dumped.contains("shop"))
    }

    @Test func metadataComparesTraces() {
        let own = TraceContext(headers: [.traceParent: first])
        let other = RequestMetadata(name: "a", traceContext: TraceContext(headers: [.traceParent: first]))
        #expect(RequestMetadata(name: "a", traceContext: own) == other)
        #expect(Set([other, RequestMetadata(name: "a")]).count == 2)
        #expect(other != RequestMetadata(name: "a", traceContext: TraceContext(headers: [.traceParent: second])))
    }
}
