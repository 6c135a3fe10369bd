#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct RedirectTests {
    private static func moved(_ location: String, _ status: Int = 302, body: Int = 0) -> StubResponse {
        StubResponse(
            status: .init(code: status), headers: [.location: location],
            body: .bytes(Bytes(repeatElement(120, count: body))))
    }

    private let get = Request<String>("a", serializer: .string)

    @Test(arguments: Wire.allCases) func aClientGoesWhereRedirectsLead(wire: Wire) async throws {
        let stubs = [
            Stub(.get, "/a", Self.moved("b/?token=SECRET#x", 301)), Stub(.get, "/b/", Self.moved("../c#part", 308)),
            Stub(.get, "/c", .text("here").header(.location, "d")),
        ]
        try await Fixture.run(stubs, over: wire) { fixture in
            let response = try await fixture.client.response(get)
            #expect(response.value == "here")
            let base = fixture.server.baseURL
            #expect(
                response.history == [
                    Redirect(status: 301, url: "\(base)/a"), Redirect(status: 308, url: "\(base)/b/?token=<redacted>"),
                ])
            #expect(response.url == "\(base)/c#part")
            #expect(response.location == "\(base)/d")
            #expect(fixture.server.requests.map(\.target) == ["/a", "/b/?token=SECRET", "/c"])
            // The short bodies of redirects are read to their end.
            #expect(fixture.server.statistics.connections == 1)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func everyWayOfSendingFollows() async throws {
        let stubs = [Stub(.get, "/a", Self.moved("/c")), Stub(.get, "/c", .text("here"))]
        try await Fixture.run(stubs) { fixture in
            let stream = try await fixture.client.stream(get)
            #expect(stream.history.map(\.status) == [302])
            #expect(try await stream.body.collect(upTo: 10) == Bytes("here".utf8))
            let raw = try await fixture.client.raw(get)
            #expect(raw.head.status == .ok)
            #expect(raw.history.count == 1)
            let prepared = try fixture.client.prepare(get)
            #expect(try await fixture.client.send(prepared: prepared, as: .string) == "here")
        }
        let transport = MockTransport(stubs)
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport)
        #expect(try await client.send(get) == "here")
        #expect(transport.recordedRequests.map(\.path) == ["/a", "/c"])
    }

    @Test func aManualPolicyHandsOutTheRedirect() async throws {
        let stubs = [Stub(.get, "/a", Self.moved("/c")), Stub(.get, "/c", .text("here"))]
        try await Fixture.run(stubs, with: .client { $0.redirects = .manual }) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.status == 302)
            var following = get
            following.options.redirects = .follow(limit: 1)
            #expect(try await fixture.client.send(following) == "here")
        }
        try await Fixture.run(stubs) { fixture in
            var staying = get
            staying.options.redirects = .manual
            let response = try await fixture.client.raw(staying)
            #expect(response.status == .found)
            #expect(response.head[.location] == "/c")
            #expect(response.history.isEmpty)
        }
    }

    @Test(arguments: Wire.allCases) func aBodyGoesOutAgainOrStaysBehind(wire: Wire) async throws {
        let stubs = [
            Stub(.post, "/keep", Self.moved("/mirror", 307)), Stub(.post, "/drop", Self.moved("/c", 303)), .mirror(),
            Stub(.get, "/c", .text("here")),
        ]
        try await Fixture.run(stubs, over: wire) { fixture in
            var post = Request<String>("keep", method: .post, body: .text("order"), serializer: .string)
            #expect(try await fixture.client.send(post) == "order")
            post.path = "drop"
            #expect(try await fixture.client.send(post) == "here")
            let last = try #require(fixture.server.requests.last)
            #expect(last.method == .get)
            #expect(last.bodyBytes == 0)
            #expect(last.headers[.contentType] == nil)
            let chunks = AsyncStream<Bytes> { continuation in
                continuation.yield(Bytes("once".utf8))
                continuation.finish()
            }
            post.path = "keep"
            post.body = .stream(chunks)
            let error = try await failure { try await fixture.client.send(post) }
            #expect(error.code == .redirect)
            #expect(error.message.contains("replayable"))
            #expect(error.url?.hasSuffix("/keep") == true)
        }
    }

    @Test func credentialsNeverReachAnotherOrigin() async throws {
        let other = try await TestServer.start([Stub(nil, "*", .text("other"))])
        let target = "http://user:SECRET@127.0.0.1:\(other.port)/x"
        let stubs = [Stub(nil, "/a", Self.moved("/b", 307)), Stub(nil, "/b", Self.moved(target, 307))]
        let key = HTTPField.Name("X-Api-Key")
        // The client doesn't know that these are secrets.
        let (session, ticket) = (
            HTTPField.Name("X-Session-Token"), HTTPField.Name("X-Ticket")
        )
        let setup = Fixture.Setup.client { configuration in
            configuration.headers[.authorization] = "Bearer SECRET"
            configuration.headers[key] = "SECRET"
            configuration.headers[session] = "SECRET"
            configuration.modifiers = [Signing()]
        }
        try await Fixture.run(stubs, with: setup) { fixture in
            var request = get
            request.headers[.cookie] = "id=SECRET"
            request.headers[ticket] = "SECRET"
            request.headers[.accept] = "text/plain"
            request.headers[.range] = "bytes=0-4"
            let text = try await fixture.client.send(request)
            #expect(text == "other")
            #expect(fixture.server.requests.allSatisfy { $0.headers[.authorization] == "Bearer SECRET" })
            #expect(
                fixture.server.requests.allSatisfy { $0.headers[session] == "SECRET" && $0.headers[ticket] == "SECRET" }
            )
            #expect(fixture.server.requests.map(\.route) == ["GET /a", "GET /b"])
            let seen = try #require(other.requests.first)
            #expect(!seen.headers.contains { $0.value.contains("SECRET") })
            #expect(seen.headers[.accept] == "text/plain")
            #expect(seen.headers[.range] == "bytes=0-4")
            #expect(seen.headers[.referer] == nil)
        }
        await other.stop()
    }

    private struct Signing: RequestModifier {
        func modify(_ request: inout PreparedRequest) {
            request.head.headerFields["X-Signature"] = "SECRET"
        }
    }

    @Test func anAbsoluteURLOfAnotherOriginGetsNoCredentialsOfTheClient() async throws {
        let other = try await TestServer.start([Stub(nil, "*", .text("other"))])
        try await Fixture.run([], with: .client { $0.headers[.authorization] = "Bearer SECRET" }) { fixture in
            var request = get
            request.options.absoluteURL = other.baseURL.description + "/x"
            try await fixture.client.send(request)
            request.options.sendsCredentialsToOtherOrigins = true
            try await fixture.client.send(request)
            #expect(other.requests.map { $0.headers[.authorization] } == [nil, "Bearer SECRET"])
        }
        await other.stop()
    }

    @Test func aCircleEndsAtTheLimitWithAnErrorThatShowsIt() async throws {
        let stubs = [Stub(.get, "/a", Self.moved("/b?key=SECRET")), Stub(.get, "/b", Self.moved("/a"))]
        try await Fixture.run(stubs) { fixture in
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.code == .redirect)
            #expect(error.message.hasPrefix("more than 20 redirects, in a loop: http://127.0.0.1:"))
            #expect(error.message.contains("/b?key=<redacted>"))
            #expect(!error.description.contains("SECRET"))
            #expect(fixture.server.requests.count == 21)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aHopThatFailsIsNamedByTheError() async throws {
        let closed = try RawPeer("")
        closed.stop()
        let stubs = [Stub(.post, "/a", Self.moved("http://127.0.0.1:\(closed.port)/gone", 303))]
        try await Fixture.run(stubs) { fixture in
            var post = get
            post.method = .post
            let error = try await failure { try await fixture.client.send(post) }
            #expect(error.isConnectivity)
            #expect(error.call?.method == .get)
            #expect(error.url == "http://127.0.0.1:\(closed.port)/gone")
        }
    }

    @Test(arguments: [1000, 20_000_000], [false, true])
    func theBodyOfARedirectIsReadOrDropped(count: Int, isStreamed: Bool) async throws {
        // A body is read for at most a second, and the machine may be busy.
        let count = isStreamed ? count : min(count, 100_000)
        let stubs = [Stub(.get, "/a", Self.moved("/c", body: count)), Stub(.get, "/c", .text("here"))]
        try await Fixture.run(stubs) { fixture in
            if isStreamed {
                #expect(try await fixture.client.stream(get).body.collect(upTo: 9) == Bytes("here".utf8))
            } else {
                #expect(try await fixture.client.send(get) == "here")
            }
            // A body that is too long to be already in transit isn't read and costs its connection; a collected body
            // has been read.
            #expect(fixture.server.statistics.connections == (isStreamed && count > 65_536 ? 2 : 1))
            try await fixture.server.wait { _, statistics in statistics.runningRequests == 0 }
        }
    }

    /// Truncated, invalid, or larger than the limit.
    @Test(arguments: [
        "Content-Length: 50\r\n\r\nshort", "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        "Content-Length: 60\r\n\r\n"
            + String(repeating: "x", count: 60),
    ])
    func aRedirectIsFollowedWhateverItsBodyIs(rest: String) async throws {
        let stubs = [Stub(.get, "/c", .text("here"))]
        try await Fixture.run(stubs) { fixture in
            let peer = try RawPeer("HTTP/1.1 302 Found\r\nLocation: \(fixture.server.baseURL)/c\r\n" + rest)
            var request = Request<String>(url: peer.baseURL, serializer: .string)
            request.options.maximumResponseBytes = 55
            #expect(try await fixture.client.send(request) == "here")
            #expect(try await fixture.client.stream(request).body.collect(upTo: 9) == Bytes("here".utf8))
            try await fixture.client.send(Request<Void>(url: peer.baseURL))
            // A caller that handles the redirect itself gets the error of its body.
            request.options.redirects = .manual
            request.options.validation = .any
            let error = try await failure { try await fixture.client.send(request) }
            #expect([.connectionLost, .invalidFraming, .decoding, .bodyTooLarge].contains(error.code))
            #expect(fixture.client.unfinishedCalls == 0)
            peer.stop()
        }
    }

    #if os(Linux)
    @Test func aRedirectIsFollowedThoughItsBodyNeverEnds() async throws {
        let stubs = [Stub(.get, "/c", .text("here"))]
        try await Fixture.run(stubs) { fixture in
            let target = fixture.server.baseURL
            // Like a script that omits the length and keeps the connection open.
            let peer = try ScriptedPeer { connection, _ in
                guard connection.readHead() != nil else { return }
                connection.send("HTTP/1.1 302 Found\r\nLocation: \(target)/c\r\n\r\n<p>moved")
                connection.waitForClose()
            }
            defer { peer.stop() }
            let client = fixture.client
            let patient = RequestOptions(timeouts: Timeouts(stall: nil))
            let request = Request<String>(url: peer.baseURL, options: patient, serializer: .string)
            async let collected = client.send(request)
            async let streamed = client.stream(request).body.collect(upTo: 9)
            async let discarded = client.send(Request<Void>(url: peer.baseURL, options: patient))
            #expect(try await (collected, streamed) == ("here", Bytes("here".utf8)))
            _ = try await discarded
            // A caller that handles the redirect itself waits for its body.
            var manual = request
            manual.options.redirects = .manual
            manual.options.validation = .any
            manual.options.timeouts = Timeouts(stall: .seconds(2))
            let error = try await failure { try await client.send(manual) }
            #expect(error.isTimeout)
            #expect(error.message.contains("stall timeout"))
            #expect(client.unfinishedCalls == 0)
        }
    }
    #endif

    @Test func theFragmentOfTheFirstURLIsInherited() async throws {
        let transport = MockTransport([
            Stub(.get, "/a", Self.moved("/b")), Stub(.get, "/b", Self.moved("/c")), Stub(.get, "/c", .text("here")),
            Stub(.get, "/own", Self.moved("/c#own")), Stub(.get, "/none", Self.moved("/c#")),
        ])
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport)
        for (from, to) in [
            ("/a#top", "/c#top"), ("/own#top", "/c#own"), ("/none#top", "/c#"), ("/c#top", "/c#top"), ("/c", "/c"),
            ("/a", "/c"),
        ] {
            let request = Request<String>(url: "http://mock.test" + from, serializer: .string)
            #expect(try await client.response(request).url == "http://mock.test" + to, "\(from)")
        }
        #expect(transport.recordedRequests.allSatisfy { !$0.target.contains("#") })
    }

    #if os(Linux)
    @Test func aRedirectThatLeadsNowhereIsWaitedForAsAnyResponse() async throws {
        let peer = try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send(
                "HTTP/1.1 302 Found\r\nLocation: /b\r\nLocation: /c\r\nContent-Length: 4\r\n\r\nhe")
            Thread.sleep(forTimeInterval: 1.8)
            connection.send("re")
            connection.waitForClose()
        }
        defer { peer.stop() }
        try await Fixture.run([]) { fixture in
            let request = Request<String>(
                url: peer.baseURL, options: RequestOptions(validation: .any), serializer: .string)
            do {
                let text = try await fixture.client.send(request)
                let bytes = try await fixture.client.stream(request).body.collect(upTo: 9)
                #expect(text == "here")
                #expect(bytes == Bytes("here".utf8))
            } catch let error as APIError<Never> {
                // libcurl 8.21 rejects it.
                #expect(error.netError?.message.contains("Multiple Location headers") == true, "\(error)")
            }
        }
    }
    #endif

    @Test func everyHopPassesTheMiddlewareAndIsAnAttempt() async throws {
        let log = EventLog()
        let stubs = [
            Stub(.get, "/a", Self.moved("/b")), Stub(.get, "/b", .status(.serviceUnavailable)).times(1),
            Stub(.get, "/b", .text("here")),
        ]
        let setup = Fixture.Setup.client {
            $0.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))]
            $0.listeners = [log]
        }
        try await Fixture.run(stubs, with: setup) { fixture in
            let text = try await fixture.client.send(get)
            #expect(text == "here")
            #expect(log.names == ["started", "attemptEnded", "attemptEnded", "retrying", "attemptEnded", "completed"])
        }
    }

    @Test func theDeadlineSpansAllHops() async throws {
        let clock = TestClock()
        let transport = MockTransport { _, _ in
            try await clock.sleep(for: .seconds(10))
            return Self.moved("/next")
        }
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.timeouts = Timeouts(firstByte: nil, stall: nil, total: .seconds(25))
            $0.clock = clock.netClock
        }
        let task = Task { try await client.send(get) }
        for _ in 0..<3 {
            // The response, its limit, and the limit of the call.
            try await clock.waitForSleepers(count: 3)
            await clock.advance(by: .seconds(10))
        }
        let error = try await failure { try await task.value }
        #expect(error.isTimeout)
        #expect(error.url == "http://mock.test/next")
    }
}
#endif
