import HTTPTypes
import Testing

@testable import NetCore

@Suite struct RedirectEdgesTests {
    private func decide(
        _ location: String, status: Int = 302, from request: PreparedRequest = .test(), history: [Redirect] = [],
        policy: RedirectPolicy = .follow(), wantsHTTPS: (String) -> Bool = { _ in false }
    ) -> RedirectDecision {
        RedirectDecision.decide(
            on: ResponseHead(status: .init(code: status), headers: [.location: location]), to: request,
            history: history, policy: policy, redaction: .safeDefault, wantsHTTPS: wantsHTTPS)
    }

    private func shown(_ decision: RedirectDecision) -> String {
        switch decision {
        case .stop: "stop"
        case .follow(let request, let fragment):
            "\(request.head.method.rawValue) \(request.url)" + (fragment.map { " #\($0)" } ?? "")
        case .fail(let error): error.message
        }
    }

    @Test func onlyRedirectsAreFollowed() {
        for status in [300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 200] {
            let isFollowed = [301, 302, 303, 307, 308].contains(status)
            #expect((shown(decide("/x", status: status)) == "stop") == !isFollowed)
            #expect(
                RedirectDecision.leads(
                    ResponseHead(status: .init(code: status), headers: [.location: "/x"]), from: "https://h")
                    == isFollowed)
        }
        #expect(shown(decide("/x", policy: .manual)) == "stop")
        #expect(RedirectPolicy.follow(limit: -1).limit == 0)
        #expect(RedirectPolicy.follow().limit == 20)
        #expect(!RedirectPolicy.follow().allowsDowngrade)
        for (url, leads) in [("ftp://h", true), ("http://", false), ("", false)] {
            #expect(
                RedirectDecision.leads(ResponseHead(status: .found, headers: [.location: url]), from: "https://h")
                    == leads)
        }
        #expect(!RedirectDecision.leads(ResponseHead(status: .found), from: "https://h"))
    }

    @Test(
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
            (308, "POST", "POST"), (301, "PUT", "PUT"), (302, "HEAD", "HEAD"), (303, "HEAD", "HEAD"),
            (303, "PUT", "GET"), (301, "GET", "GET"),
        ] as [(Int, String, String)])
    func theMethodFollowsTheStatus(_ status: Int, _ method: String, _ expected: String) throws {
        let headers: HTTPFields = [.contentType: "a/b", .expect: "x", "Digest": "y", .lastModified: "z", .accept: "w"]
        let request = PreparedRequest.test(
            method: try #require(HTTPRequest.Method(method)), headers: headers, body: .bytes([1]))
        guard case .follow(let next, _) = decide("/x", status: status, from: request) else {
            Issue.record("not followed")
            return
        }
        #expect(next.head.method.rawValue == expected)
        #expect(next.head.headerFields == (method == expected ? headers : [.accept: "w"]))
        if case .none = next.body { #expect(method != expected) } else { #expect(method == expected) }
    }

    @Test func theTargetIsResolved() {
        #expect(shown(decide("/x?a#f")) == "GET https://a.test/x?a #f")
        #expect(shown(decide("x", from: .test("/a/b"))) == "GET https://a.test/a/x")
        #expect(shown(decide("ftp://h/")).hasPrefix("the server redirected to a URL with the scheme \"ftp\""))
        #expect(shown(decide("http://h/")).hasPrefix("the server redirected from https to http, to http://h/;"))
        #expect(shown(decide("http://h/", policy: .follow(allowsDowngrade: true))) == "GET http://h/")
        #expect(shown(decide("http://h:80/", wantsHTTPS: { $0 == "h" })) == "GET https://h/")
        #expect(shown(decide("http://h:8080/", wantsHTTPS: { _ in true })) == "GET https://h:8080/")
        #expect(shown(decide("https://u:p@h/")) == "GET https://h/")
        #expect(shown(decide("http://")) == "stop")
        #expect(shown(decide("wss://h/")).hasPrefix("the server redirected to a URL with the scheme \"wss\""))
        #expect(shown(decide("wss://h/", from: .test { $0.webSocket = WebSocketOptions() })) == "GET https://h/")
        let once = PreparedRequest.test(method: .post, body: .stream(length: 1, isReplayable: false) { HeldSource() })
        #expect(
            shown(decide("/x", status: 307, from: once)).hasPrefix(
                "the redirect (status 307) requires sending the body again"))
        #expect(shown(decide("/x", status: 303, from: once)) == "GET https://a.test/x")
    }

    @Test func credentialsStayBehind() {
        let headers: HTTPFields = [.authorization: "x", .cookie: "x", .accept: "x", "X-Own": "x"]
        let request = PreparedRequest.test(headers: headers) { $0.webSocket = WebSocketOptions(secretSubprotocol: "s") }
        guard case .follow(let same, _) = decide("/x", from: request),
            case .follow(let other, _) = decide("https://b.test/", from: request)
        else {
            Issue.record("not followed")
            return
        }
        #expect(same.head.headerFields == headers)
        #expect(same.options.webSocket?.secretSubprotocol == "s")
        #expect(other.head.headerFields == [.accept: "x"])
        #expect(other.options.webSocket?.secretSubprotocol == nil)
    }

    @Test func chainsHaveAnEnd() {
        let history = (0..<9).map { Redirect(status: 302, url: "u\($0)") }
        #expect(
            shown(decide("/x", history: Array(history.prefix(1)), policy: .follow(limit: 2))) == "GET https://a.test/x")
        #expect(
            shown(decide("/x", history: Array(history.prefix(2)), policy: .follow(limit: 2)))
                == "more than 2 redirects: u0 → u1 → https://a.test/ → https://a.test/x")
        #expect(
            shown(decide("/", history: Array(history.prefix(2)), policy: .follow(limit: 2))).hasPrefix(
                "more than 2 redirects, in a loop: "))
        #expect(
            shown(decide("/x", history: Array(history.prefix(6)), policy: .follow(limit: 6))).contains("u5 → https"))
        #expect(
            shown(decide("/x", history: Array(history.prefix(7)), policy: .follow(limit: 7)))
                == "more than 7 redirects: u0 → u1 → u2 → u3 → … → u6 → https://a.test/ → https://a.test/x")
        #expect(shown(decide("/x", policy: .follow(limit: 0))).hasPrefix("more than 0 redirects"))
        let long = String(repeating: "a", count: 400)
        #expect(
            shown(decide("/" + long, policy: .follow(limit: 0))).hasSuffix(
                "→ https://a.test/" + String(repeating: "a", count: 285)))
    }

    @Test func bytesOfALocationAreEscaped() {
        for byte in UInt8.min ... .max {
            let isEscaped = byte <= 32 || byte >= 127 || "\"<>\\^`{|}".utf8.contains(byte)
            let hex = String(byte, radix: 16, uppercase: true)
            let text = isEscaped ? "%\(byte < 16 ? "0" : "")\(hex)" : String(Unicode.Scalar(byte))
            #expect([byte].withUnsafeBufferPointer { RedirectTarget.escaped($0) } == text)
        }
        var headers: HTTPFields = [.location: "/a"]
        headers.append(HTTPField(name: .location, value: "/a"))
        #expect(RedirectDecision.location(of: ResponseHead(status: .found, headers: headers)) == "/a")
        headers.append(HTTPField(name: .location, value: "/b"))
        #expect(RedirectDecision.location(of: ResponseHead(status: .found, headers: headers)) == nil)
    }

    @Test func aChangedRedirectIsCheckedAnew() {
        let original = PreparedRequest.test(headers: [.authorization: "x", .accept: "y"])
        func choose(_ choice: RedirectChoice, _ policy: RedirectPolicy = .follow()) -> RedirectDecision {
            let proposal = ProposedRedirect(
                head: ResponseHead(status: .found), original: original, request: .test("/next"))
            return RedirectDecision.decide(
                choice, about: proposal, fragment: "f", policy: policy, redaction: .safeDefault)
        }
        #expect(shown(choose(.stop)) == "stop")
        #expect(shown(choose(.fail("no"))) == "the redirect was refused: no")
        #expect(shown(choose(.follow())) == "GET https://a.test/next #f")
        #expect(shown(choose(.follow(with: .test("/next", method: .put)))) == "PUT https://a.test/next #f")
        #expect(shown(choose(.follow(with: .test("/other")))) == "GET https://a.test/other")
        var changed = original
        changed.head.authority = "b.test"
        changed.head.headerFields["X-New"] = "z"
        guard case .follow(let other, _) = choose(.follow(with: changed)) else { return }
        #expect(other.head.headerFields == [.accept: "y", "X-New": "z"])
        changed.head.headerFields[.authorization] = "of its own"
        guard case .follow(let own, _) = choose(.follow(with: changed)) else { return }
        #expect(own.head.headerFields[.authorization] == "of its own")
        changed.head.scheme = "http"
        #expect(shown(choose(.follow(with: changed))).hasPrefix("the changed redirect leads from https to http"))
        #expect(shown(choose(.follow(with: changed), .follow(allowsDowngrade: true))) == "GET http://b.test/")
        changed.head.path = "x"
        #expect(
            shown(choose(.follow(with: changed), .follow(allowsDowngrade: true))).hasPrefix(
                "the changed redirect has no http or https URL"))
        #expect(
            ProposedRedirect(head: ResponseHead(status: .found), original: original, request: .test("/n")).description
                == "302: GET https://a.test/ → GET https://a.test/n")
    }
}
