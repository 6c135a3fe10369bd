#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: Nginx.program.path != nil && Certificates.program.path != nil))
struct AltSvcMiddlewareTests {
    @Test func theNextCallGoesToTheAlternativeForItsOrigin() async throws {
        try await AltSvcSite.with { site in
            #expect(try await site.get(naming: site.field()) == site.byOrigin)
            let response = try await site.client.response(site.request())
            #expect(response.value == site.byAlternative)
            #expect(response.metrics?.remoteAddress?.hasSuffix(":\(site.alternative)") == true)
            #expect(response.url == "https://localhost:\(site.origin)/x")
            // Also as a stream, and with a body.
            let stream = try await site.client.stream(site.request())
            #expect(String(decoding: try await stream.body.collect(upTo: 1000), as: UTF8.self) == site.byAlternative)
            var post = site.request()
            (post.method, post.body) = (.post, .text("x"))
            #expect(try await site.client.send(post) == site.byAlternative)
        }
    }

    @Test func connectionsToTheTwoPlacesServeNotEachOther() async throws {
        try await AltSvcSite.with { site in
            let plain = try site.plainClient
            try await site.get(naming: site.field())
            for _ in 0..<3 {
                #expect(try await site.get() == site.byAlternative)
                #expect(try await plain.send(site.request()) == site.byOrigin)
            }
            #expect(site.transport.statistics.openedConnections == 2)
            // Neither do the connections of two origins to the same alternative: the certificate was checked for one of
            // them.
            let other = "https://127.0.0.1:\(site.origin)/x"
            let field = site.field(host: "localhost")
            #expect(try await site.client.send(Request<String>(url: other)).hasPrefix("\(site.origin) "))
            site.store.withList { [now = site.clock.date] in _ = $0.receive(field, from: other, now: now) }
            #expect(
                try await site.client.send(Request<String>(url: other))
                    == "\(site.alternative) HTTP/2.0 127.0.0.1:\(site.origin) [localhost:\(site.alternative)] []")
            #expect(try await site.get() == site.byAlternative)
            #expect(site.transport.statistics.openedConnections == 4)
        }
    }

    @Test func anAlternativeIsGoodForItsTimeAndUntilItIsTakenBack() async throws {
        try await AltSvcSite.with { site in
            try await site.get(naming: site.field(age: 60))
            await site.clock.advance(by: .seconds(59))
            #expect(try await site.get() == site.byAlternative)
            await site.clock.advance(by: .seconds(1))
            #expect(try await site.get(naming: site.field()) == site.byOrigin)
            // A server that responds for the origin may withdraw the alternative.
            #expect(try await site.get(naming: "clear") == site.byAlternative)
            #expect(try await site.get() == site.byOrigin)
        }
    }

    @Test func onlyTheVersionThatWasNamedIsSpoken() async throws {
        try await AltSvcSite.with { site in
            try await site.get(naming: "h3=\":\(site.alternative)\", h9=\":1\", \(site.field("http%2F1.1"))")
            let answer = try await site.get()
            #expect(answer.hasPrefix("\(site.alternative) HTTP/1.1 localhost:\(site.origin) "), "\(answer)")
            // The handle no longer uses it.
            #expect(try await site.plainClient.send(site.request()) == site.byOrigin)
        }
        // A server that supports only another protocol isn't tried again.
        try await AltSvcSite.with(.init(listen: "ssl")) { site in
            try await site.get(naming: site.field())
            let answer = try await site.get()
            #expect(answer.hasPrefix("\(site.alternative) HTTP/1.1 localhost:\(site.origin) "), "\(answer)")
            #expect(site.pause == 300)
            #expect(try await site.get() == site.byOrigin)
        }
    }

    @Test func redirectsAndCookiesAreThoseOfTheOrigin() async throws {
        let cookies = CookieStore()
        try await AltSvcSite.with(.init(middleware: [CookieMiddleware(cookies)])) { site in
            try await site.get(naming: site.field())
            let response = try await site.client.response(site.request("login"))
            let cookie = "[id=\(site.alternative)]"
            #expect(response.value == String(site.byAlternative.dropLast(2)) + cookie)
            #expect(response.url == "https://localhost:\(site.origin)/home")
            #expect(cookies.cookies.map(\.domain) == ["localhost"])
            site.store.withList { $0.removeAll() }
            #expect(try await site.get() == String(site.byOrigin.dropLast(2)) + cookie)
        }
    }

    @Test func overridesOfTheAlternativesPlaceCount() async throws {
        try await NginxSite.withHTTP2("location / { return 200 '$http_host $http_alt_used'; }") { client, _ in
            let place = try #require(client.configuration.baseURL?.authority)
            let port = try #require(place.split(separator: ":").last)
            let change: @Sendable (inout CurlTransport.Configuration) -> Void = {
                $0.connection.overrides = [
                    "alt.test:443": .host(place), "far.test:\(port)": .addresses(["127.0.0.1"]),
                    "named.test:443": .host(place),
                ]
            }
            try await AltSvcSite.with(.init(transport: change)) { site in
                for name in ["alt.test", "far.test:\(port)"] {
                    site.store.withList { $0.removeAll() }
                    try await site.get(naming: "h2=\"\(name.contains(":") ? name : name + ":443")\"")
                    #expect(try await site.get() == "localhost:\(site.origin) \(name)")
                    // The handle uses its normal settings again.
                    let other = Request<String>(url: "https://named.test/x")
                    #expect(try await site.client.send(other) == "named.test ")
                }
            }
        }
    }

    @Test func whereTheOriginIsSaidByHandNoAlternativeIsUsed() async throws {
        let port = try Listener.freePort()
        try await AltSvcSite.with(
            .init(transport: { $0.connection.overrides = ["named.test:\(port)": .addresses(["127.0.0.1"])] })
        ) { site in
            let url = "https://named.test:\(port)/x"
            let field = site.field(host: "localhost")
            site.store.withList { [now = site.clock.date] in _ = $0.receive(field, from: url, now: now) }
            let error = try await failure { try await site.client.send(Request<String>(url: url)) }
            #expect(error.code == .connect, "\(error)")
            #expect(!error.message.contains("alternative"), "\(error)")
            #expect(site.pause == nil)
        }
    }

    @Test func throughAProxyOrAUnixSocketNoAlternativeIsUsed() async throws {
        let changes: [@Sendable (inout CurlTransport.Configuration) -> Void] = [
            { $0.proxy = .server(ProxyServer("http://127.0.0.1:1")) },
            { $0.connection.unixSockets = ["localhost": .path("/no/such.sock")] },
        ]
        for change in changes {
            try await AltSvcSite.with(.init(transport: change)) { site in
                let url = "https://localhost:\(site.origin)/x"
                site.store.withList { [now = site.clock.date, field = site.field()] in
                    _ = $0.receive(field, from: url, now: now)
                }
                let error = try await failure { try await site.get() }
                #expect(error.code == .connect, "\(error)")
                #expect(error.attempt == 1, "\(error)")
                #expect(!error.message.contains("alternative"), "\(error)")
                #expect(site.pause == nil, "\(error)")
            }
        }
    }

    @Test func aBodyThatCannotBeSentAgainGoesToTheOrigin() async throws {
        try await AltSvcSite.with { site in
            try await site.get(naming: site.field())
            for isReplayable in [false, true] {
                var request = site.request()
                request.method = .put
                let chunks = AsyncStream<Bytes> {
                    $0.yield(Bytes("x".utf8))
                    $0.finish()
                }
                request.body = .stream(chunks, isReplayable: isReplayable)
                let answer = try await site.client.send(request)
                #expect(answer == (isReplayable ? site.byAlternative : site.byOrigin))
            }
        }
    }

    @Test func otherTransportsGoToTheOrigin() async throws {
        let (store, clock) = (AltSvcStore(), TestClock())
        let transport = MockTransport { _, _ in
            StubResponse(headers: [.init("Alt-Svc") ?? .location: #"h2=":1"; ma=60"#])
        }
        let client = HTTPClient(
            configuration: .init(middleware: [AltSvcMiddleware(store)], clock: clock.netClock), transport: transport)
        // Headers received without TLS are ignored.
        try await client.send(Request<Bytes>(url: "http://a.test/1", serializer: .bytes))
        #expect(store.entries.isEmpty)
        for _ in 0..<2 { try await client.send(Request<Bytes>(url: "https://a.test/2", serializer: .bytes)) }
        #expect(store.entries.map(\.origin) == ["https://a.test"])
        let last = try #require(transport.recordedRequests.last)
        #expect(!last.headers.contains { $0.name.canonicalName == "alt-used" })
        #expect(transport.recordedRequests.count == 3)
    }

    @Test func aStoreIsSavedAndLoaded() async throws {
        try await TemporaryFolder.with { folder in
            let (store, other) = (AltSvcStore(), AltSvcStore())
            store.withList {
                _ = $0.receive(
                    #"h2=":1"; ma=60; persist=1"#, from: "https://a.test/", now: Date(timeIntervalSince1970: 9e8))
            }
            let path = folder.path("alt-svc.json")
            #expect(try await other.load(from: path) == false)
            try await store.save(to: path)
            #expect(try await other.load(from: path))
            #expect(other.entries == store.entries)
            #expect(store.entries.count == 1)
            try folder.write("else", to: "alt-svc.json")
            let error = await #expect(throws: NetError.self) { try await other.save(to: path) }
            #expect(error?.code == .decoding)
            #expect(try folder.text(of: "alt-svc.json") == "else")
        }
    }
}
#endif
