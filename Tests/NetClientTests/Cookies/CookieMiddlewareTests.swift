#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct CookieMiddlewareTests {
    private func setting(_ cookies: String..., status: HTTPResponse.Status = .ok) -> StubResponse {
        var fields = HTTPFields()
        for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        return StubResponse(status: status, headers: fields)
    }

    private func get(_ path: String, cookie: String? = nil) -> Request<Bytes> {
        var request = Request<Bytes>(Path(path), serializer: .bytes)
        if let cookie { request.headers[.cookie] = cookie }
        return request
    }

    private func cookies(_ fixture: Fixture) -> [String?] { fixture.server.requests.map { $0.headers[.cookie] } }

    @Test(arguments: Wire.allCases) func eachFieldIsACookieOfItsOwn(wire: Wire) async throws {
        let stubs = [
            Stub(
                .get, "/set", setting("a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT", "b=2,3; Path=/x", "bad; Domain=com")
            ),
            Stub(.get, "/x/y", .text("ok")),
        ]
        let setup = Fixture.Setup.client { $0.middleware = [CookieMiddleware()] }
        try await Fixture.run(stubs, over: wire, with: setup) { fixture in
            try await fixture.client.send(get("set"))
            try await fixture.client.send(get("x/y"))
            let seen = cookies(fixture)
            #expect(seen.first == .some(nil))
            #expect(seen.last == "b=2,3; a=1")
        }
    }

    @Test func secureCookiesGoOverTLSAlone() async throws {
        let store = CookieStore()
        let setup = Fixture.Setup.client { $0.middleware = [CookieMiddleware(store)] }
        let stubs = [Stub(.get, "/set", setting("__Host-s=1; Secure; Path=/", "p=2")), Stub(.get, "/x", .text("ok"))]
        try await Fixture.run(stubs, over: .tls, with: setup) { fixture in
            try await fixture.client.send(get("set"))
            try await fixture.client.send(get("x"))
            #expect(cookies(fixture).last == "__Host-s=1; p=2")
        }
        // Cookies ignore ports: the other server is the same host, without TLS.
        try await Fixture.run(stubs, with: setup) { fixture in
            try await fixture.client.send(get("x"))
            #expect(cookies(fixture) == ["p=2"])
        }
        #expect(store.cookies.map(\.name) == ["__Host-s", "p"])
    }

    @Test func theRequestsOwnCookiesGoFirstAndWin() async throws {
        let stubs = [Stub(.get, "/set", setting("a=1", "b=2")), Stub(.get, "/x", .text("ok"))]
        try await Fixture.run(stubs, with: .client { $0.middleware = [CookieMiddleware()] }) { fixture in
            try await fixture.client.send(get("set"))
            try await fixture.client.send(get("x", cookie: "c=own; b=own"))
            try await fixture.client.send(get("x"))
            #expect(cookies(fixture) == [nil, "c=own; b=own; a=1", "a=1; b=2"])
        }
    }

    @Test func redirectsSetAndGetTheirOwn() async throws {
        let stubs = [
            Stub(.get, "/login", setting("id=7; Path=/", status: .found).header(.location, "/account/home")),
            Stub(.get, "/account/home", setting("seen=1", status: .found).header(.location, "http://localhost:PORT/")),
            Stub(.get, "/account/end", .text("end")),
        ]
        try await Fixture.run(stubs, with: .client { $0.middleware = [CookieMiddleware()] }) { fixture in
            // The same server under another name is another host.
            let other = "http://localhost:\(fixture.server.port)/account/end"
            fixture.server.add(
                Stub(.get, "/account/home", setting("seen=1", status: .found).header(.location, other)).priority(1))
            let request = get("login", cookie: "own=1")
            #expect(try await fixture.client.send(request) == Bytes("end".utf8))
            #expect(cookies(fixture) == ["own=1", "own=1; id=7", nil])
            try await fixture.client.send(get("account/end"))
            #expect(cookies(fixture).last == "seen=1; id=7")
        }
    }

    @Test func twoClientsShareOnlyTheStoreTheyWereGiven() async throws {
        let stubs = [Stub(.get, "/set", setting("a=1")), Stub(.get, "/x", .text("ok"))]
        try await Fixture.run(stubs, with: .client { $0.middleware = [CookieMiddleware()] }) { fixture in
            try await fixture.client.send(get("set"))
            let other = fixture.client.with { $0.middleware = [CookieMiddleware()] }
            try await other.send(get("x"))
            let same = fixture.client.with { $0.timeouts.stall = nil }
            try await same.send(get("x"))
            #expect(cookies(fixture) == [nil, nil, "a=1"])
        }
    }

    @Test func cookiesThatAreNotUTF8AreIgnored() async throws {
        let fields = Array("Set-Cookie: bad=caf".utf8) + [0xe9] + Array("\r\nSet-Cookie: good=caf\u{e9}\r\n".utf8)
        let peer = try RawPeer(
            answer: Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n".utf8) + fields + Array("\r\n".utf8))
        defer { peer.stop() }
        let cookies = CookieStore()
        try await Fixture.run([], with: .client { $0.middleware = [CookieMiddleware(cookies)] }) { fixture in
            try await fixture.client.send(Request<Bytes>(url: peer.baseURL, serializer: .bytes))
            #expect(cookies.cookies.map(\.name) == ["good"])
            #expect(cookies.cookies.first?.value == "caf\u{e9}")
        }
    }

    @Test func removedCookiesAreNotSent() async throws {
        let store = CookieStore()
        let stubs = [Stub(.get, "/set", setting("a=1", "b=2")), Stub(.get, "/x", .text("ok"))]
        try await Fixture.run(stubs, with: .client { $0.middleware = [CookieMiddleware(store)] }) { fixture in
            try await fixture.client.send(get("set"))
            store.withJar { $0.removeAll { $0.name == "a" } }
            try await fixture.client.send(get("x"))
            store.removeAll()
            try await fixture.client.send(get("x"))
            #expect(cookies(fixture) == [nil, "b=2", nil])
        }
    }

    @Test func aStreamSetsCookiesAtItsHead() async throws {
        let store = CookieStore()
        let stub = Stub(.get, "/set", setting("a=1"))
        try await Fixture.run([stub], with: .client { $0.middleware = [CookieMiddleware(store)] }) { fixture in
            let response = try await fixture.client.stream(get("set"))
            #expect(store.cookies.map(\.name) == ["a"])
            response.body.cancel()
        }
    }

    @Test func cookiesOfIntermediateResponsesAreSentWithTheNextAttempt() async throws {
        let store = CookieStore()
        let challenge = setting("session=1", status: .unauthorized)
            .header(.wwwAuthenticate, "Digest realm=\"a\", nonce=\"n\", qop=\"auth\"")
        let stubs = [
            Stub(.get, "/x", setting("node=b; Max-Age=60", "session=0", status: .serviceUnavailable)).times(1),
            Stub(.get, "/x", challenge).times(1), Stub(.get, "/x", setting("last=1")),
        ]
        let setup = Fixture.Setup.client {
            let retry = RetryMiddleware(RetryPolicy(backoff: Backoff(base: .zero)))
            $0.middleware = [CookieMiddleware(store), DigestMiddleware(user: "ann", password: "p"), retry]
        }
        try await Fixture.run(stubs, with: setup) { fixture in
            try await fixture.client.send(get("x", cookie: "own=1"))
            #expect(
                cookies(fixture) == ["own=1", "own=1; node=b; session=0", "own=1; node=b; session=1"])
            #expect(Set(store.cookies.map(\.name)) == ["node", "session", "last"])
        }
    }

    @Test func aFieldThatAMiddlewareMadeInBetweenIsItsOwn() async throws {
        let stubs = [
            Stub(.get, "/x", setting("a=1", status: .serviceUnavailable)).times(1), Stub(.get, "/x", .text("ok")),
        ]
        let setup = Fixture.Setup.client {
            let retry = RetryMiddleware(RetryPolicy(backoff: Backoff(base: .zero)))
            $0.middleware = [CookieMiddleware(), retry, WithOwnCookie()]
        }
        try await Fixture.run(stubs, with: setup) { fixture in
            try await fixture.client.send(get("x"))
            #expect(cookies(fixture) == ["mine=1", "mine=1"])
        }
    }

    @Test func middlewareResponsesSetCookies() async throws {
        let store = CookieStore()
        let setup = Fixture.Setup.client { $0.middleware = [CookieMiddleware(store), Answering()] }
        try await Fixture.run([], with: setup) { fixture in
            try await fixture.client.send(get("x"))
            #expect(store.cookies.map(\.name) == ["a"])
            #expect(fixture.server.requests.isEmpty)
        }
    }

    private struct WithOwnCookie: Middleware {
        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            var request = request
            request.head.headerFields[.cookie] = "mine=1"
            return try await next(request, context)
        }
    }

    private struct Answering: Middleware {
        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            StreamedResponse(head: ResponseHead(status: .ok, headers: [.setCookie: "a=1"]))
        }
    }

    @Test func theSystemsListKnowsWhatBelongsToEverybody() {
        let suffixes = PublicSuffixes.system
        for domain in ["com", "co.uk", "CO.UK", "github.io", "xn--p1ai", "unknown", "kawasaki.jp", "x.kawasaki.jp"] {
            #expect(suffixes.contains(domain), "\(domain)")
        }
        for domain in ["example.com", "example.co.uk", "me.github.io", "xn--e1afmkfd.xn--p1ai", "city.kawasaki.jp"] {
            #expect(!suffixes.contains(domain), "\(domain)")
        }
        #expect(suffixes.registrableDomain(of: "A.b.Example.co.uk") == "example.co.uk")
        #expect(suffixes.registrableDomain(of: "www.xn--e1afmkfd.xn--p1ai") == "xn--e1afmkfd.xn--p1ai")
        #expect(suffixes.registrableDomain(of: "github.io") == nil)
    }

    @Test(.enabled(if: NginxSite.program != nil)) func twoFieldsOfNginxAreTwoCookies() async throws {
        let locations = """
            location /set { add_header Set-Cookie "a=1; Path=/; HttpOnly"; add_header Set-Cookie "b=2; Path=/"; return 204; }
            location /moved { add_header Set-Cookie "c=3; Path=/" always; return 302 /show; }
            location /show { return 200 "$http_cookie"; }
            """
        try await NginxSite.with(locations) { nginx in
            let client = HTTPClient(baseURL: nginx.baseURL) { $0.middleware = [CookieMiddleware()] }
            let set = try await client.response(get("set"))
            #expect(set.head.headers[values: .setCookie].count == 2)
            #expect(try await client.send(get("show")) == Bytes("a=1; b=2".utf8))
            let moved = try await client.response(get("moved"))
            #expect(moved.value == Bytes("a=1; b=2; c=3".utf8))
            #expect(moved.history.map(\.status) == [302])
        }
    }
}
#endif
