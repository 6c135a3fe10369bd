#if Server
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Some routes of a real server replaced.
@Suite(.timeLimit(.minutes(1)))
struct StubMiddlewareTests {
    private func withClient(
        _ partial: StubMiddleware, _ body: (HTTPClient, TestServer) async throws -> Void
    ) async throws {
        let server = try await TestServer.start([
            Stub(.get, "/real", .text("real")), Stub(.get, "/flags", .text("real flags")), .echo(),
        ])
        var curl = CurlTransport.Configuration()
        curl.proxy = .none
        let client = HTTPClient(baseURL: server.baseURL, transport: CurlTransport(configuration: curl)) {
            $0.middleware = [partial]
        }
        try await body(client, server)
        await client.shutdown()
        await server.stop()
    }

    @Test func aStubbedRouteIsAnsweredAndTheOthersReachTheServer() async throws {
        let partial = StubMiddleware([Stub(.get, "/flags", .json(["beta": true]))])
        try await withClient(partial) { client, server in
            let flags = try await client.send(Request<[String: Bool]>("flags"))
            #expect(flags == ["beta": true])
            let real = try await client.send(Request<String>("real", serializer: .string))
            #expect(real == "real")
            #expect(server.requests.map(\.target) == ["/real"])
            #expect(partial.received(.get, "/flags", times: 1))
            #expect(partial.received(.get, "/real", times: 1))
        }
    }

    @Test func aBodyThatStreamsOnceStillReachesTheServer() async throws {
        let partial = StubMiddleware([Stub(.post, "/echo", .text("")).body(.text("something else"))])
        try await withClient(partial) { client, _ in
            let chunks = AsyncStream<Bytes> { continuation in
                for text in ["one ", "two"] { continuation.yield(Bytes(text.utf8)) }
                continuation.finish()
            }
            let echoed = try await client.send(
                Request<EchoedRequest>("echo", method: .post, body: .stream(chunks)))
            #expect(echoed.bodyBytes == 7)
        }
    }

    @Test func aStubsFaultIsTheCallsErrorAndDoesNotFallThrough() async throws {
        let partial = StubMiddleware([Stub(.get, "/flags", .text("x")).faulting(.refused)])
        try await withClient(partial) { client, server in
            let error = await #expect(throws: APIError<Never>.self) {
                try await client.send(Request<String>("flags", serializer: .string))
            }
            #expect(error?.netError?.code == .connect)
            #expect(server.requests.isEmpty)
        }
    }
}
#endif
