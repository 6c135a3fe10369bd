#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

private struct Refused: Error {}

/// A call ends once, with its outcome.
@Suite(.timeLimit(.minutes(2))) struct CallEndTests {
    /// Sends, and checks that the call failed exactly once, regardless of its body.
    private func expectOneFailure(
        _ client: HTTPClient, _ log: EventLog, _ send: (HTTPClient) async throws -> some Any
    ) async throws {
        let error = try await failure { try await send(client) }
        #expect(error.code == .decoding)
        #expect(error.attempt == 1)
        #expect(client.unfinishedCalls == 0)
        #expect(log.names.filter { ["completed", "failed", "cancelled", "rejected"].contains($0) } == ["failed"])
    }

    @Test(arguments: Wire.allCases) func aStreamedBodyThatIsNotWhatItShouldBeFailsOnce(wire: Wire) async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client { $0.listeners = [log] }
        try await Fixture.run([Stub(.get, "/text", .text("no multipart"))], over: wire, with: setup) { fixture in
            try await expectOneFailure(fixture.client, log) {
                try await $0.send(Request("text", serializer: .multipart))
            }
            while fixture.transport.statistics.liveTransfers > 0, !Task.isCancelled { await Task.yield() }
        }
    }

    @Test func aConversionThatThrowsEndsTheTransferToo() async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client { $0.listeners = [log] }
        try await Fixture.run([.pattern()], with: setup) { fixture in
            let serializer = ResponseSerializer<ResponseBody>.body.map { _ -> ResponseBody in throw Refused() }
            let request = Request("bytes", query: [QueryItem("bytes", 50_000_000)], serializer: serializer)
            try await expectOneFailure(fixture.client, log) { try await $0.send(request) }
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
        }
    }

    @Test func aBodyThatIsWholeBeforeItIsConvertedIsNotCalledCompleted() async throws {
        struct Whole: HTTPTransport {
            func execute(
                _ request: PreparedRequest, context: CallContext
            ) async throws(NetError) -> StreamedResponse {
                StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(Bytes("text".utf8)))
            }
        }
        let log = EventLog()
        let client = HTTPClient(baseURL: "http://mock.test", transport: Whole()) { $0.listeners = [log] }
        try await expectOneFailure(client, log) { try await $0.send(Request("x", serializer: .multipart)) }
        let body = try await client.send(Request<ResponseBody>("x"))
        #expect(log.names.last == "completed")
        #expect(body.whole == Bytes("text".utf8))
        #expect(client.unfinishedCalls == 0)
    }

    @Test func aValueThatKeepsTheBodyEndsTheCallWithIt() async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client { $0.listeners = [log] }
        try await Fixture.run([.pattern()], with: setup) { fixture in
            let body = try await fixture.client.send(
                Request<ResponseBody>("bytes", query: [QueryItem("bytes", 300_000)]))
            #expect(fixture.client.unfinishedCalls == 1)
            #expect(try await body.collect(upTo: 300_000).count == 300_000)
            #expect(fixture.client.unfinishedCalls == 0)
            #expect(log.names.filter { $0 == "completed" }.count == 1)
        }
    }
}
#endif
