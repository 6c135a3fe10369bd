import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

/// The requests sent after redirects.
@Suite struct RedirectDecisionTests {
    private func request(
        _ method: HTTPRequest.Method = .get, _ url: String = "https://h.test/a/b?q=1", headers: HTTPFields = [:],
        body: RequestBody.Content = .none
    ) throws -> PreparedRequest {
        let url = URLReference(url)
        let target = url.path + (url.query.map { "?" + $0 } ?? "")
        return PreparedRequest(
            head: HTTPRequest(
                method: method, scheme: url.scheme, authority: url.authority, path: target, headerFields: headers),
            body: body)
    }

    private func decide(
        _ status: Int, _ location: String?, to request: PreparedRequest, history: [Redirect] = [],
        policy: RedirectPolicy = .follow(), redaction: RedactionPolicy = .safeDefault
    ) -> RedirectDecision {
        var head = ResponseHead(status: .init(code: status))
        if let location { head.headers[.location] = location }
        return RedirectDecision.decide(on: head, to: request, history: history, policy: policy, redaction: redaction)
    }

    private func followed(_ decision: RedirectDecision) -> PreparedRequest? {
        if case .follow(let request, _) = decision { request } else { nil }
    }

    private func failure(_ decision: RedirectDecision) -> NetError? {
        if case .fail(let error) = decision { error } else { nil }
    }

    private func stops(_ decision: RedirectDecision) -> Bool {
        if case .stop = decision { true } else { false }
    }

    @Test(
        "Methods change as RFC 9110 section 15.4 and the Fetch standard say",
        arguments: [
            (301, "GET", "GET"), (301, "HEAD", "HEAD"), (301, "POST", "GET"), (301, "PUT", "PUT"),
            (301, "DELETE", "DELETE"),
            (302, "GET", "GET"), (302, "POST", "GET"), (302, "PATCH", "PATCH"), (302, "OPTIONS", "OPTIONS"),
            (303, "GET", "GET"), (303, "HEAD", "HEAD"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (303, "DELETE", "GET"),
            (303, "QUERY", "GET"), (307, "POST", "POST"), (307, "GET", "GET"), (308, "POST", "POST"),
            (308, "PUT", "PUT"),
        ])
    func methods(status: Int, method: String, expected: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        let sent = try request(method, headers: [.contentType: "text/plain"], body: .bytes(Bytes("x".utf8)))
        let next = try #require(followed(decide(status, "/c", to: sent)))
        #expect(next.head.method.rawValue == expected)
        let isKept = method.rawValue == expected
        #expect((next.bodyLength == 1) == isKept)
        #expect((next.head.headerFields[.contentType] != nil) == isKept)
    }

    @Test(arguments: [200, 204, 300, 304, 305, 306, 309, 399, 400, 503]) func otherStatusesAreNoRedirects(status: Int)
        throws
    {
        #expect(stops(decide(status, "/c", to: try request())))
    }

    @Test func withoutFollowingEverythingIsAnsweredAsItIs() throws {
        #expect(stops(decide(302, "/c", to: try request(), policy: .manual)))
    }

    @Test(
        "A place that is none leaves the response as it is",
        arguments: [
            nil, "https://", "https:///x", "https:/x", "https:x", "https://h:99999/", "https://[::z]/", "//",
            "https://h<>/",
            "https://exämple.test/", "https:\\\\h.test\\x", "https://h%2Ftest/",
        ])
    func invalidPlaces(location: String?) throws {
        #expect(stops(decide(302, location, to: try request())))
    }

    @Test func twoDifferentPlacesAreNone() throws {
        var head = ResponseHead(status: .found)
        head.headers[values: .location] = ["/c", "/c"]
        let same = RedirectDecision.decide(
            on: head, to: try request(), history: [], policy: .follow(), redaction: .safeDefault)
        #expect(followed(same)?.url == "https://h.test/c")
        head.headers[values: .location] = ["/c", "/d"]
        let other = RedirectDecision.decide(
            on: head, to: try request(), history: [], policy: .follow(), redaction: .safeDefault)
        #expect(stops(other))
    }

    @Test(
        "A place is resolved against the URL of the request (RFC 3986 section 5)",
        arguments: [
            ("c", "https://h.test/a/c"), ("/c", "https://h.test/c"), ("//x.test", "https://x.test/"),
            ("?r", "https://h.test/a/b?r"),
            ("../../../c?r=2#f", "https://h.test/c?r=2"),
            ("#f", "https://h.test/a/b?q=1"),
            ("HTTPS://X.test:444/y/", "https://X.test:444/y/"), ("https://x.test?r", "https://x.test/?r"),
            ("/ä b|\"c\"?d=é f", "https://h.test/%C3%A4%20b%7C%22c%22?d=%C3%A9%20f"),
            ("/%7e%zz", "https://h.test/%7e%25zz"),
            ("/\\evil.test/", "https://h.test/%5Cevil.test/"), ("https://user:SECRET@x.test/", "https://x.test/"),
            ("https://h.test@x.test/", "https://x.test/"), ("//u@x.test:81/", "https://x.test:81/"),
        ])
    func places(location: String, url: String) throws {
        let next = try #require(followed(decide(302, location, to: try request())))
        #expect(next.url == url)
        #expect(next.head.headerFields[.authorization] == nil)
    }

    @Test func bytesOfAPlaceThatAreNoUTF8StayAsTheyCame() throws {
        var head = ResponseHead(status: .found)
        head.headers.append(HTTPField(name: .location, value: Array("/caf".utf8) + [0xe9] + Array("?q=".utf8) + [0xfc]))
        let next = RedirectDecision.decide(
            on: head, to: try request(), history: [], policy: .follow(), redaction: .safeDefault)
        #expect(followed(next)?.url == "https://h.test/caf%E9?q=%FC")
    }

    @Test func theFragmentIsHandedOnBesideTheRequest() throws {
        guard case .follow(let request, let fragment) = decide(302, "/c#part", to: try request()) else {
            Issue.record("not followed")
            return
        }
        #expect(request.head.path == "/c")
        #expect(fragment == "part")
    }

    @Test(
        "Only http and https are followed",
        arguments: [
            "ftp://h.test/", "file:///etc/passwd", "data:text/plain,x", "javascript:alert(1)", "ws://h.test/",
            "mailto:a@b",
        ])
    func schemes(location: String) throws {
        let error = try #require(failure(decide(302, location, to: try request())))
        #expect(error.code == .redirect)
        #expect(error.message.contains("only http and https"))
    }

    @Test func fromHTTPSToHTTPIsAnErrorUnlessItIsAllowed() throws {
        let error = try #require(failure(decide(302, "http://h.test/c?token=SECRET", to: try request())))
        #expect(error.code == .redirect)
        #expect(error.message.contains("http://h.test/c?token=<redacted>"))
        let allowed = decide(302, "http://h.test/c", to: try request(), policy: .follow(allowsDowngrade: true))
        #expect(followed(allowed)?.url == "http://h.test/c")
        #expect(followed(decide(302, "https://h.test/", to: try request(.get, "http://h.test/"))) != nil)
    }

    @Test(
        "Credentials stay behind at another origin",
        arguments: [
            ("https://h.test/c", true), ("https://H.TEST:443/c", true), ("/c", true), ("https://h.test:444/c", false),
            ("https://www.h.test/c", false), ("https://x.test/", false), ("//x.test/", false),
            ("https://h.test.x.test/", false),
        ])
    func credentials(location: String, areKept: Bool) throws {
        let secrets = [
            "Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "X-Session-Token", "Prefer", "Host",
            "Origin",
            "Referer", "Forwarded", "From",
        ].compactMap { HTTPField.Name($0) }
        var headers: HTTPFields = [.accept: "text/plain", .userAgent: "u", .range: "bytes=1-", .ifRange: "\"e\""]
        for name in secrets { headers[name] = "SECRET" }
        var redaction = RedactionPolicy.safeDefault
        // A header that is forwarded unless the policy hides it.
        redaction.headerNames.insert("Prefer")
        let next = try #require(
            followed(decide(307, location, to: try request(headers: headers), redaction: redaction)))
        for name in secrets { #expect((next.head.headerFields[name] != nil) == areKept, "\(name)") }
        for name in [HTTPField.Name.accept, .userAgent, .range, .ifRange] {
            #expect(next.head.headerFields[name] == headers[name], "\(name)")
        }
    }

    @Test func aPolicyThatHidesNothingStillKeepsCredentialsBack() throws {
        let sent = try request(headers: [.authorization: "SECRET", .accept: "*/*"])
        let next = try #require(followed(decide(302, "https://x.test/", to: sent, redaction: .disabled)))
        #expect(next.head.headerFields == [.accept: "*/*"])
    }

    @Test func aBodyKeepsWhatSpeaksOfItAtAnotherOrigin() throws {
        let kept = [
            "Content-Type", "Content-Encoding", "Content-Language", "Content-Disposition", "Content-Digest", "Digest",
            "Repr-Digest", "Idempotency-Key", "Trailer",
        ]
        var headers: HTTPFields = [:]
        for name in kept.compactMap({ HTTPField.Name($0) }) { headers[name] = "1" }
        let sent = try request(.post, headers: headers, body: .bytes(Bytes("x".utf8)))
        #expect(try #require(followed(decide(307, "https://x.test/", to: sent))).head.headerFields == headers)
    }

    @Test func contentHeadersAreRemovedWithTheBody() throws {
        let gone = [
            "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-MD5",
            "Transfer-Encoding", "Trailer", "Expect", "Digest",
        ]
        var headers: HTTPFields = [.accept: "text/plain", .authorization: "a"]
        for name in gone.compactMap({ HTTPField.Name($0) }) { headers[name] = "1" }
        let next = try #require(
            followed(decide(303, "/c", to: try request(.post, headers: headers, body: .bytes(Bytes("x".utf8))))))
        #expect(Set(next.head.headerFields.map(\.name)) == [.accept, .authorization])
    }

    @Test func aBodyThatCannotBeSentAgainIsAnErrorThatSaysWhatToDo() throws {
        let body = RequestBody.Content.stream(length: nil, isReplayable: false) { FailingSource() }
        for (status, method) in [(307, HTTPRequest.Method.post), (308, .post), (301, .put)] {
            let error = try #require(failure(decide(status, "/c?key=SECRET", to: try request(method, body: body))))
            #expect(error.code == .redirect)
            #expect(error.message.contains("https://h.test/c?key=<redacted>"))
            #expect(error.message.contains("replayable"))
        }
        // The body isn't sent again if the method becomes GET.
        #expect(followed(decide(303, "/c", to: try request(.post, body: body)))?.bodyLength == 0)
    }

    @Test func tooManyAreAnErrorThatNamesTheWay() throws {
        let history = [Redirect(status: 302, url: "https://h.test/1"), Redirect(status: 302, url: "https://h.test/2")]
        let sent = try request(.get, "https://h.test/3?token=SECRET")
        #expect(followed(decide(302, "/4", to: sent, history: history, policy: .follow(limit: 3))) != nil)
        let error = try #require(
            failure(decide(302, "/4?sig=SECRET", to: sent, history: history, policy: .follow(limit: 2))))
        #expect(
            error.message
                == "more than 2 redirects: https://h.test/1 → https://h.test/2 → https://h.test/3?token=<redacted> → "
                + "https://h.test/4?sig=<redacted>")
        let circle = try #require(failure(decide(302, "/1", to: sent, history: history, policy: .follow(limit: 2))))
        #expect(circle.message.hasPrefix("more than 2 redirects, in a loop: https://h.test/1 →"))
        #expect(failure(decide(302, "/4", to: sent, policy: .follow(limit: 0))) != nil)
    }

    @Test func aLongWayIsShortenedInTheMiddle() throws {
        let history = (1...20).map {
            Redirect(status: 302, url: "https://h.test/\($0)?" + String(repeating: "x", count: 5000))
        }
        let error = try #require(failure(decide(302, "/end", to: try request(), history: history)))
        #expect(error.message.utf8.count < 3000)
        #expect(error.message.contains("…"))
        #expect(error.message.hasSuffix("https://h.test/end"))
    }

    @Test func noPlaceBreaksTheDecision() throws {
        let random = SeededRandom(seed: 21)
        for text in Samples.hostile + (0..<3000).map({ _ in Samples.text(random, length: 30) }) {
            for prefix in ["", "/", "//", "https://", "http://h.test:"] {
                guard let next = followed(decide(302, prefix + text, to: try request(.get, "http://h.test/a"))) else {
                    continue
                }
                // Every redirected request can be sent unchanged.
                #expect(throws: Never.self) { try BaseURL(next.url) }
                #expect(next.url.utf8.allSatisfy { $0 > 32 && $0 < 127 })
            }
        }
    }
}

private final class FailingSource: BodySource {
    func next() async throws(NetError) -> Bytes? { nil }
    func cancel() {}
}
