import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

@Suite(.timeLimit(.minutes(2))) struct HSTSMiddlewareTests {
    private let store = HSTSStore()
    private let urls = Locked<[String]>([])

    private func client(_ field: String = "max-age=60; includeSubDomains") -> HTTPClient {
        let urls = urls
        let transport = MockTransport { request, _ in
            urls.change { $0.append(request.url) }
            if request.head.path == "/down" {
                return StubResponse(status: .found, headers: [.location: "http://h.test/x"])
            }
            return StubResponse(headers: [.strictTransportSecurity: field])
        }
        return HTTPClient(
            configuration: .init(
                redirects: .follow(allowsDowngrade: true), middleware: [HSTSMiddleware(store), CookieMiddleware()]),
            transport: transport)
    }

    private func get(_ url: String) -> Request<Bytes> {
        Request<Bytes>(url: url, serializer: .bytes)
    }

    @Test func onceAHostSaidSoRequestsGoOverHTTPS() async throws {
        let client = client()
        for url in [
            "http://h.test/1", "https://h.test/2", "http://h.test/3?q", "http://www.h.test:80/4",
            "http://h.test:8080/5",
            "http://x.test/6", "https://h.test/down",
        ] { try await client.send(get(url)) }
        #expect(
            urls.value == [
                "http://h.test/1", "https://h.test/2", "https://h.test/3?q", "https://www.h.test/4",
                "https://h.test:8080/5",
                "http://x.test/6", "https://h.test/down", "https://h.test/x",
            ])
    }

    @Test func secureCookiesGoWithAnUpgradedRequest() async throws {
        let cookies = CookieStore()
        try cookies.withJar {
            try $0.insert(Cookie(name: "s", value: "1", domain: "h.test", isSecure: true), now: Date())
        }
        store.withList { $0.insert(.init(host: "h.test", expires: Date().addingTimeInterval(60))) }
        let transport = MockTransport([Stub(.get, "/x", .text("ok"))])
        let client = HTTPClient(
            configuration: .init(middleware: [HSTSMiddleware(store), CookieMiddleware(cookies)]), transport: transport)
        try await client.send(get("http://h.test/x"))
        #expect(transport.recordedRequests.first?.headers[.cookie] == "s=1")
    }

    @Test func aRedirectToSuchAHostIsNoDowngrade() async throws {
        store.withList { $0.insert(.init(host: "h.test", expires: Date().addingTimeInterval(60))) }
        let transport = MockTransport { request, _ in
            switch request.head.path {
            case "/down": StubResponse(status: .found, headers: [.location: "http://h.test:80/x?q#part"])
            case "/away": StubResponse(status: .found, headers: [.location: "http://other.test/"])
            default: StubResponse(body: .bytes("ok".utf8))
            }
        }
        let client = HTTPClient(
            configuration: .init(middleware: [HSTSMiddleware(store)]), transport: transport)
        let response = try await client.response(get("https://a.test/down"))
        #expect(response.url == "https://h.test/x?q#part")
        #expect(response.history == [Redirect(status: 302, url: "https://a.test/down")])
        // Sent over https, a request counts as https.
        let error = try await failure { try await client.send(get("http://h.test/away")) }
        #expect(error.code == .redirect)
    }

    @Test func itWorksInsideOfAnotherMiddlewareAndInARequestsOwn() async throws {
        struct Wrapped: Middleware {
            let inner: HSTSMiddleware
            func intercept(
                _ request: PreparedRequest, context: CallContext, next: Next
            ) async throws -> StreamedResponse {
                try await inner.intercept(request, context: context, next: next)
            }
        }
        let middleware = Wrapped(inner: HSTSMiddleware(store))
        let strict = client().with { configuration in
            configuration.redirects = .follow()
            configuration.middleware = [middleware]
        }
        try await strict.send(get("https://h.test/1"))
        // Without the list, this redirect to http would be an error.
        try await strict.send(get("https://h.test/down"))
        var own = get("http://h.test/down")
        own.options.middleware = [middleware]
        _ = try await strict.with { $0.middleware = [] }.send(own)
        let led = ["https://h.test/down", "https://h.test/x"]
        #expect(urls.value == ["https://h.test/1"] + led + led)
        let without = strict.with { $0.middleware = [] }
        #expect(try await failure { try await without.send(get("https://h.test/down")) }.code == .redirect)
    }

    @Test func aResponseSaysThatItCameByHTTPS() async throws {
        store.withList { $0.insert(.init(host: "h.test", expires: Date().addingTimeInterval(60))) }
        let response = try await client().response(get("http://h.test:80/1"))
        #expect(response.url == "https://h.test/1")
        #expect(response.history.isEmpty)
        let led = try await client().response(get("http://h.test/down"))
        #expect(led.url == "https://h.test/x")
        #expect(led.history == [Redirect(status: 302, url: "https://h.test/down")])
    }

    @Test func zeroMakesAHostForgotten() async throws {
        store.withList { $0.insert(.init(host: "h.test", expires: Date().addingTimeInterval(60))) }
        let client = client("max-age=0")
        try await client.send(get("http://h.test/1"))
        try await client.send(get("http://h.test/2"))
        #expect(urls.value == ["https://h.test/1", "http://h.test/2"])
    }

    @Test(arguments: ["http://h.test", "http://h.test:80", "http://h.test:8080"])
    func credentialsOfTheBaseURLGoWithAnUpgradedRequest(base: String) async throws {
        store.withList { $0.insert(.init(host: "h.test", expires: Date().addingTimeInterval(60))) }
        let transport = MockTransport { request, _ in
            switch request.head.path {
            case "/a": StubResponse(status: .found, headers: [.location: "b"])
            case "/b": StubResponse(status: .found, headers: [.location: "http://other.test/c"])
            default: .text("ok")
            }
        }
        for scope in [CredentialScope.baseURL, try .origins(base)] {
            let auth = AuthMiddleware(try .bearer("t"), scope: scope)
            let client = HTTPClient(baseURL: base, transport: transport) {
                $0.redirects = .follow(allowsDowngrade: true)
                $0.middleware = [HSTSMiddleware(store), auth]
            }
            try await client.send(Request<String>("a", serializer: .string))
            let seen = transport.recordedRequests.suffix(3)
            #expect(seen.map(\.headers[.authorization]) == ["Bearer t", "Bearer t", nil], "\(base)")
        }
    }

    @Test func aStoredResponseSaysNothingOfItsHost() async throws {
        let transport = MockTransport { _, _ in
            StubResponse(headers: [.strictTransportSecurity: "max-age=60", .cacheControl: "max-age=600"])
        }
        let client = HTTPClient(
            configuration: .init(middleware: [HSTSMiddleware(store), CacheMiddleware()]), transport: transport)
        try await client.send(get("https://h.test/x"))
        #expect(store.withList { $0.entries.count } == 1)
        // The host has withdrawn its entry meanwhile.
        store.withList { $0.removeAll() }
        try await client.send(get("https://h.test/x"))
        #expect(transport.recordedRequests.count == 1)
        #expect(store.withList { $0.entries.count } == 0)
    }
}
