#if os(Linux) && Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The opening handshake of a WebSocket as a call: through middleware, redirects and challenges, against nginx.
@Suite(.timeLimit(.minutes(2)), .enabled(if: NginxSite.program != nil)) struct HandshakeChainTests {
    /// A token that the first server rejects, and the one that replaces it.
    private func tokens() throws -> RefreshingCredentials {
        RefreshingCredentials(initial: try .bearer("old-geheim")) { _ in try .bearer("new-geheim") }
    }

    private func expectOneEnd(_ site: HandshakeSite, _ name: String, _ location: SourceLocation = #_sourceLocation) {
        let ends = site.log.names.filter { ["completed", "rejected", "failed", "cancelled"].contains($0) }
        #expect(ends == [name], sourceLocation: location)
        #expect(site.log.names.first == "started", sourceLocation: location)
        let text = site.log.all.map { "\($0.url) \($0.kind)" }.joined()
        #expect(!text.contains("geheim"), sourceLocation: location)
    }

    @Test func itIsAnHTTPCallWithEvents() async throws {
        try await HandshakeSite.run { site in
            let (_, head) = try await site.converse(try await site.client(), WebSocketRequest("echo"))
            #expect(head.status == .switchingProtocols)
            #expect(site.log.names == ["started", "attemptEnded", "completed"])
            #expect(site.log.all.map(\.url) == Array(repeating: "http://\(site.authority)/echo", count: 3))
            #expect(site.attempts == ["1 101 /echo"])
            #expect(site.server.requests.first?.headers[.userAgent] == "swift-net")
        }
    }

    @Test func theSameCookiesServeHTTPAndWebSockets() async throws {
        try await HandshakeSite.run { site in
            let store = CookieStore()
            let first = try await site.converse(
                try await site.client(CookieMiddleware(store)), WebSocketRequest("echo"))
            #expect(first.cookies == "none")
            #expect(store.cookies.map(\.name) == ["seat"])
            let http = HTTPClient(baseURL: "http://\(site.authority)") { $0.middleware = [CookieMiddleware(store)] }
            // Without an upgrade, the server behind nginx has no such page; but nginx has let the request pass.
            #expect(try await http.raw(Request<Bytes>("member", serializer: .bytes)).head.status == .notFound)
            let second = try await site.converse(
                try await site.client(CookieMiddleware(store)), WebSocketRequest("member"))
            #expect(second.cookies == "seat=7")
        }
    }

    @Test func aRedirectIsFollowedAndItsCookieSent() async throws {
        try await HandshakeSite.run { site in
            let answer = try await site.converse(try await site.client(CookieMiddleware()), WebSocketRequest("moved"))
            #expect(answer.cookies == "seat=7")
            #expect(site.attempts == ["1 302 /moved", "2 101 /member"])
            expectOneEnd(site, "completed")
        }
    }

    @Test func aRedirectMayLeadToAURLOfAWebSocket() async throws {
        try await HandshakeSite.run { site in
            try await site.converse(try await site.client(), WebSocketRequest("to/echo"))
            #expect(site.attempts == ["1 307 /to/echo", "2 101 /echo"])
        }
    }

    @Test func redirectsAreErrorsWhenTheyAreNotFollowed() async throws {
        try await HandshakeSite.run { site in
            let client = try await site.client { $0.redirects = .manual }
            let error = try await failure { try await site.converse(client, WebSocketRequest("moved")) }
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == 302)
            #expect(error.attempt == 1)
            expectOneEnd(site, "rejected")
        }
    }

    @Test func aTokenIsRenewedOnce() async throws {
        try await HandshakeSite.run { site in
            let client = try await site.client(AuthMiddleware(try tokens()), RetryMiddleware())
            try await site.converse(client, WebSocketRequest("private"))
            #expect(site.attempts == ["1 401 /private", "2 101 /private"])
            expectOneEnd(site, "completed")
        }
    }

    @Test(arguments: ["query", "sub"]) func aTokenMayStandElsewhere(_ place: String) async throws {
        try await HandshakeSite.run { site in
            let placement: CredentialPlacement =
                place == "query" ? .query("access_token") : .subprotocol(prefix: "bearer.")
            let client = try await site.client(AuthMiddleware(try tokens().placed(placement)))
            var request = WebSocketRequest(Path(place), query: [QueryItem("a", 1)])
            request.subprotocols = ["chat"]
            try await site.converse(client, request)
            #expect(site.attempts == ["1 401 /\(place)", "2 101 /\(place)"])
            expectOneEnd(site, "completed")
            let seen = try #require(site.server.requests.first)
            let query = place == "query" ? "a=1&access_token=new-geheim" : "a=1"
            #expect(seen.target == "/\(place)?\(query)")
            let offered = place == "query" ? "chat" : "chat, bearer.new-geheim"
            #expect(seen.headers["Sec-WebSocket-Protocol"] == offered)
        }
    }

    @Test func theSubprotocolWithTheTokenIsNotShownEvenIfTheServerChoosesIt() async throws {
        try await HandshakeSite.run { site in
            let client = try await site.client()
            var request = WebSocketRequest("sub")
            request.secretSubprotocol = "bearer.new-geheim"
            let socket = try await client.connect(request)
            #expect(socket.subprotocol == nil)
            var shown = ""
            dump(request, to: &shown)
            dump(socket, to: &shown)
            dump(socket.response, to: &shown)
            dump(try client.prepare(request), to: &shown)
            #expect(!shown.contains("geheim"), "\(shown)")
            await client.shutdown()
        }
    }

    @Test func hostsThatRequireHTTPSGetIt() async throws {
        try await HandshakeSite.run { site in
            struct Wrapped: Middleware {
                let inner = HSTSMiddleware()
                func intercept(
                    _ request: PreparedRequest, context: CallContext, next: Next
                ) async throws -> StreamedResponse {
                    try await inner.intercept(request, context: context, next: next)
                }
            }
            let wrapped = Wrapped()
            let learning = try await site.client(wrapped)
            try await site.converse(learning, WebSocketRequest(url: "wss://\(site.secureAuthority)/echo"))
            #expect(wrapped.inner.store.entries.map(\.host) == ["localhost"])
            let later = try await site.client(wrapped)
            try await site.converse(later, WebSocketRequest(url: "ws://\(site.secureAuthority)/echo"))
            // A redirect to http then becomes one to https, which isn't a downgrade.
            let led = try await site.client(wrapped)
            try await site.converse(led, WebSocketRequest(url: "wss://\(site.secureAuthority)/down"))
            #expect(site.attempts == ["1 101 /echo", "1 101 /echo", "1 302 /down", "2 101 /echo"])
            let urls = site.log.all.compactMap { event in
                if case .attemptEnded(let attempt) = event.kind { attempt.url } else { nil }
            }
            #expect(urls.allSatisfy { $0.hasPrefix("https://\(site.secureAuthority)/") })
        }
    }

    @Test func traceFieldsAreSentAndSeen() async throws {
        try await HandshakeSite.run { site in
            let client = try await site.client(TracePropagationMiddleware())
            try await site.converse(client, WebSocketRequest("trace"))
            let sent = site.log.all.compactMap { event in
                if case .attemptEnded(let attempt) = event.kind { attempt.trace?.description } else { nil }
            }
            #expect(sent.count == 1)
            #expect(site.server.requests.first?.headers[.traceParent] == sent.first)
        }
    }

    @Test func aRefusalIsRetriedAndThenHandedOverWithItsBody() async throws {
        try await HandshakeSite.run { site in
            let retry = RetryMiddleware(RetryPolicy(maximumAttempts: 3, backoff: .constant(.zero)))
            let busy = try await site.client(retry)
            let error = try await failure { try await site.converse(busy, WebSocketRequest("busy")) }
            #expect(error.status == 503)
            #expect(error.attempt == 3)
            #expect(site.attempts == (1...3).map { "\($0) 503 /busy" })
            expectOneEnd(site, "rejected")
            let refused = try await site.client()
            let other = try await failure { try await site.converse(refused, WebSocketRequest("no")) }
            #expect(other.status == 403)
            #expect(other.attempt == 1)
            #expect(other.response.map { String(decoding: $0.body, as: UTF8.self) } == "members only")
        }
    }

    @Test func aPlaceInALimitIsGivenBackWhenTheHandshakeIsOver() async throws {
        try await HandshakeSite.run { site in
            let limit = ConcurrencyLimitMiddleware(limit: 1, maximumWaiting: 0)
            let client = try await site.client(limit)
            var sockets: [WebSocketConnection] = []
            for _ in 0..<3 { sockets.append(try await client.connect(WebSocketRequest("echo"))) }
            #expect(sockets.count == 3)
            #expect(client.unfinishedCalls == 0)
            await client.shutdown()
        }
    }

    @Test func openWebSocketsSurviveCancellationAndTimeouts() async throws {
        try await HandshakeSite.run { site in
            let clock = TestClock()
            let client = try await site.client {
                $0.timeouts = .total(.seconds(5))
                $0.clock = clock.netClock
            }
            let task = Task { try await client.connect(WebSocketRequest("echo")) }
            let socket = try await task.value
            task.cancel()
            client.cancelAll()
            _ = try await socket.receive()
            await clock.advance(by: .seconds(10))
            try await socket.send("hello")
            #expect(try await socket.receive() == .text("hello"))
            await client.shutdown()
            let error = try await failure { try await socket.receive() }
            #expect(error.code == .connectionLost || error.code == .shutdown, "\(error)")
            #expect(site.log.names == ["started", "attemptEnded", "completed"])
        }
    }

    @Test func cachesCoalescingAndHedgingLetItPass() async throws {
        try await HandshakeSite.run { site in
            let client = try await site.client(
                CacheMiddleware(), CoalescingMiddleware(), HedgingMiddleware(after: .zero))
            async let first = client.connect(WebSocketRequest("echo"))
            async let second = client.connect(WebSocketRequest("echo"))
            for socket in try await [first, second] { #expect(try await socket.receive() == .text("cookies: none")) }
            #expect(site.server.requests.count == 2)
            #expect(site.attempts.count == 2)
            #expect(!site.log.names.contains("cache"))
            await client.shutdown()
        }
    }

    @Test func credentialsDoNotFollowToAnotherOrigin() async throws {
        try await HandshakeSite.run { site in
            let peer = try RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let away = try RawPeer("HTTP/1.1 302 Found\r\nLocation: \(peer.baseURL)/x\r\nContent-Length: 0\r\n\r\n")
            let client = try await site.client(AuthMiddleware(try tokens())) {
                $0.baseURL = try? BaseURL(away.baseURL)
                $0.headers[.cookie] = "geheim=1"
            }
            var request = WebSocketRequest("chat")
            request.secretSubprotocol = "geheim.1"
            let error = try await failure { try await site.converse(client, request) }
            #expect(error.status == 200)
            #expect(error.attempt == 2)
            #expect(away.received.value.contains("geheim.1"))
            #expect(away.received.value.contains("Bearer old-geheim"))
            #expect(!peer.received.value.isEmpty)
            #expect(!peer.received.value.contains("geheim"))
            peer.stop()
            away.stop()
        }
    }
}
#endif
