#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct ConvenienceTests {
    private func get(_ url: String) -> Request<String> {
        Request<String>(url: url, serializer: .string)
    }

    @Test func theSharedClientNeedsNothing() async throws {
        let server = try await TestServer.start([Stub(.get, "/x", .text("here"))])
        #expect(try await HTTPClient.shared.send(get(server.baseURL.description + "/x")) == "here")
        await server.stop()
    }

    @Test func clientsWithoutATransportShareTheirConnections() async throws {
        let server = try await TestServer.start([Stub(.get, "/x", .text("here"))])
        let base = server.baseURL
        for _ in 0..<3 {
            let client = HTTPClient(baseURL: base)
            #expect(try await client.send(Request<String>("x", serializer: .string)) == "here")
            // Other clients aren't affected.
            await client.shutdown()
        }
        #expect(try await HTTPClient.shared.send(get(server.baseURL.description + "/x")) == "here")
        #expect(server.statistics.connections == 1)
        let own = HTTPClient(baseURL: base, transport: CurlTransport())
        try await own.send(Request<String>("x", serializer: .string))
        #expect(server.statistics.connections == 2)
        await own.shutdown()
        await server.stop()
    }

    @Test func clientsInALeakCheckDoNotShareATransport() async throws {
        let server = try await TestServer.start([Stub(.get, "/late", .text("late").delayed(by: .seconds(60)))])
        let leaks = await #expect(throws: Leaks.self) {
            try await LeakCheck.run(patience: .milliseconds(20)) {
                let client = HTTPClient(baseURL: server.baseURL)
                Task { try await client.send(Request<String>("late", serializer: .string)) }
                try await server.wait { requests, _ in requests.count == 1 }
            }
        }
        #expect(leaks?.held == ["calls": 1, "transfers": 1])
        await server.stop()
    }

    @Test func aFailingClientFailsEveryCall() async throws {
        let client = HTTPClient.failing(with: NetError(.dns, phase: .resolving, message: "no network today"))
        let error = try await failure { try await client.send(Request<String>("x", serializer: .string)) }
        #expect(error.code == .dns)
        #expect(error.message == "no network today")
        #expect(error.url == "http://failing.invalid/x")
        let streamed = try await failure { try await client.stream(Request<String>("x", serializer: .string)) }
        #expect(streamed.code == .dns)
        #expect(client.unfinishedCalls == 0)
    }

    private struct Stamp: RequestModifier {
        let name: String
        func modify(_ request: inout PreparedRequest) {
            let old = request.head.headerFields[.acceptLanguage]
            request.head.headerFields[.acceptLanguage] = (old.map { $0 + ", " } ?? "") + name
        }
    }

    private struct Refusing: RequestModifier {
        struct Oops: Error {}
        var error: any Error = Oops()
        func modify(_ request: inout PreparedRequest) throws { throw error }
    }

    @Test func modifiersRunOnceInTheirOrderBeforeMiddleware() async throws {
        let stubs = [Stub(.get, "/a", StubResponse(status: .found, headers: [.location: "/b"])), .echo()]
        let setup = Fixture.Setup.client { configuration in
            configuration.modifiers = [Stamp(name: "de"), Stamp(name: "en")]
            configuration.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.zero)))]
        }
        try await Fixture.run(
            stubs + [Stub(.get, "/b", .status(.serviceUnavailable)).times(1), Stub(.get, "/b", .text("here"))],
            with: setup
        ) { fixture in
            let request = Request<String>("a", headers: [.acceptLanguage: "fr"], serializer: .string)
            let prepared = try fixture.client.prepare(request)
            #expect(prepared.head.headerFields[.acceptLanguage] == "fr, de, en")
            let text = try await fixture.client.send(request)
            #expect(text == "here")
            #expect(
                fixture.server.requests.map { $0.headers[.acceptLanguage] } == [
                    "fr, de, en", "fr, de, en", "fr, de, en",
                ])
        }
    }

    @Test func aModifierThatThrowsSendsNothing() async throws {
        let transport = MockTransport([])
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) { $0.modifiers = [Refusing()] }
        let error = try await failure { try await client.send(Request<String>("x", serializer: .string)) }
        #expect(error.code == .middleware)
        #expect(error.message.contains("Refusing"))
        #expect(error.underlying is Refusing.Oops)
        let cancelled = client.with { $0.modifiers = [Refusing(error: CancellationError())] }
        #expect(try await failure { try await cancelled.send(Request<String>("x")) }.isCancellation)
        #expect(transport.recordedRequests.isEmpty)
    }

    @Test func aPreparedRequestGoesOutAsItIs() async throws {
        let setup = Fixture.Setup.client { $0.modifiers = [Stamp(name: "de")] }
        try await Fixture.run([.echo(), Stub(.get, "/no", .text("no", status: .notFound))], with: setup) { fixture in
            let request = Request<Bytes>(
                "echo", method: .post, query: [QueryItem("q", 1)], body: .text("x"), serializer: .bytes)
            var prepared = try fixture.client.prepare(request)
            prepared.head.headerFields[.userAgent] = nil
            let response = try await fixture.client.response(prepared: prepared, as: .bytes)
            #expect(response.url == prepared.url)
            #expect(response.metrics != nil)
            let seen = try #require(fixture.server.requests.last)
            #expect(seen.method == .post)
            #expect(seen.target == "/echo?q=1")
            #expect(seen.body == Bytes("x".utf8))
            #expect(seen.headers[.userAgent] == nil)
            #expect(seen.headers[values: .acceptLanguage] == ["de"])
            let stream = try await fixture.client.stream(prepared: prepared)
            let echoed = try await stream.body.collect(upTo: 10_000)
            #expect(!echoed.isEmpty)
            prepared.head.path = "/no"
            prepared.head.method = .get
            prepared.body = .none
            let error = await #expect(throws: NetError.self) {
                try await fixture.client.send(prepared: prepared, as: .string)
            }
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.status == 404)
            let raw = try await fixture.client.raw(prepared: prepared)
            #expect(raw.head.status == .notFound)
            #expect(raw.value == Bytes("no".utf8))
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test(
        arguments: [
            (nil, "/"), ("h test", "/"), ("h/../x@y", "/"), ("", "/"), ("h", nil), ("h", "/a b"), ("h", "/a#b"),
            ("h", "/\r\nX: y"), ("h", "x"), ("h:80", "*"),
        ] as [(String?, String?)])
    func aPreparedRequestWithoutAURLIsRefused(authority: String?, path: String?) async throws {
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([Stub(nil, "*", .text("sent"))]))
        let request = PreparedRequest(head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: path))
        let error = await #expect(throws: NetError.self) { try await client.raw(prepared: request) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.call?.method == .get)
        let isPathMeant = path.map { !$0.hasPrefix("/") } ?? true
        #expect(error?.message.contains("begin with a slash; write one") == isPathMeant)
    }

    @Test func aConfigurationIsPrintedWithoutItsSecrets() {
        let configuration = HTTPClient.Configuration(
            baseURL: "https://h.test/v1?key=geheim", headers: [.authorization: "Bearer geheim"])
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(configuration.description == "HTTPClient.Configuration(https://h.test/v1)")
        for text in [dumped, String(reflecting: configuration)] {
            #expect(text.contains("https://h.test/v1"), "\(text)")
            #expect(!text.contains("geheim"), "\(text)")
        }
    }
}
#endif
