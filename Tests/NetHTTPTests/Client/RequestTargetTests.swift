#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// One enumeration for all endpoints of a service.
private enum Shop: APIRequest {
    typealias Response = EchoedRequest

    case item(String)
    case search(String, tags: [String])
    case order(id: UUID)

    var path: Path {
        switch self {
        case .item(let id): Path("items") / id
        case .search: "search/"
        case .order(let id): "orders" / id
        }
    }

    var method: HTTPRequest.Method { if case .order = self { .delete } else { .get } }

    @QueryBuilder var query: QueryItems {
        if case .search(let text, let tags) = self {
            QueryItem("q", text)
            QueryItem.items("tag", tags)
            QueryItem.optional("page", nil as Int?)
            QueryItem.flag("debug")
        }
    }
}

/// The target of a request as received by the server.
@Suite(.timeLimit(.minutes(2))) struct RequestTargetTests {
    private static func based(_ suffix: String) -> Fixture.Setup {
        .client { $0.baseURL = $0.baseURL.flatMap { try? BaseURL("\($0)\(suffix)") } }
    }

    private static let queries: [(@Sendable () -> QueryItems, String)] = [
        ({ [QueryItem("a", 1), QueryItem("a", 2), .flag("flag")] }, "?a=1&a=2&flag"),
        (
            { [QueryItem("a+b", "c d&e=f"), QueryItem("ü", "%41"), QueryItem("e", "")] },
            "?a%2Bb=c%20d%26e%3Df&%C3%BC=%2541&e="
        ),
        ({ [.bool("b", true), .bool("c", false)] }, "?b=true&c=false"),
        (
            { QueryItems([QueryItem.flag("x", isEnabled: true), .flag("y", isEnabled: false)].compactMap { $0 }) },
            "?x=true"
        ),
        (
            { QueryItems([QueryItem.joined("ids", [1, 2, 3]), .joined("no", [Int]())].compactMap { $0 }) }, "?ids=1,2,3"
        ),
        (
            {
                [
                    .date("t", Date(timeIntervalSince1970: 1.5)),
                    .date("s", Date(timeIntervalSince1970: 1.5), .secondsSince1970),
                ]
            },
            "?t=1970-01-01T00%3A00%3A01.500Z&s=1"
        ),
        ({ [QueryItem("r", "a/b:c", allowsReserved: true)] }, "?r=a/b:c"),
        ({ QueryEncoder(arrays: .repeated).items(of: ["f": ["x", "y"]]) }, "?f=x&f=y"),
    ]

    @Test(arguments: Wire.allCases) func queriesArriveAsTheyWereWritten(wire: Wire) async throws {
        try await Fixture.run([.echo()], over: wire) { fixture in
            for (query, target) in Self.queries {
                let echoed = try await fixture.client.send(Request<EchoedRequest>("echo", query: query()))
                #expect(echoed.target == "/echo" + target)
            }
        }
    }

    @Test(arguments: Wire.allCases) func baseVersionPathAndQueriesAreJoined(wire: Wire) async throws {
        try await Fixture.run([.echo("*")], over: wire, with: Self.based("/a%20b/?key=x%2B")) { fixture in
            let id = try #require(UUID(uuidString: "0190B5A0-7C3E-7DEF-8123-456789ABCDEF"))
            let versioned = Request<EchoedRequest>("items/", options: RequestOptions(apiVersion: "v 2"))
            let echoed = try await fixture.client.send(versioned)
            #expect(echoed.target == "/a%20b/v%202/items/?key=x%2B")
            let targets: [(Shop, String)] = [
                (.item("a/b?c"), "/a%20b/items/a%2Fb%3Fc?key=x%2B"),
                (.search("x y", tags: ["1", "2"]), "/a%20b/search/?key=x%2B&q=x%20y&tag=1&tag=2&debug"),
                (.order(id: id), "/a%20b/orders/\(id.uuidString)?key=x%2B"),
            ]
            for (request, target) in targets {
                let echoed = try await fixture.client.send(request)
                #expect(echoed.target == target)
                #expect(echoed.method == request.method.rawValue)
            }
        }
    }

    @Test(arguments: Wire.allCases) func anAbsoluteURLIsSentAsItIs(wire: Wire) async throws {
        try await Fixture.run([.echo("*")], over: wire, with: Self.based("/v1?key=x")) { fixture in
            let options = RequestOptions(
                apiVersion: "v2", absoluteURL: "\(fixture.server.baseURL)/elsewhere/?page=2#top")
            let echoed = try await fixture.client.send(
                Request<EchoedRequest>("ignored", query: [QueryItem("q", 1)], options: options))
            #expect(echoed.target == "/elsewhere/?page=2&q=1")
            var based = RequestOptions(apiVersion: "v2")
            based.baseURL = try BaseURL("\(fixture.server.baseURL)/eu?region=1")
            let joined = try await fixture.client.send(Request<EchoedRequest>("a", options: based))
            #expect(joined.target == "/eu/v2/a?region=1")
        }
    }

    @Test(arguments: Wire.allCases) func invalidCharactersAreEncodedAndEmptyQueriesAreKept(wire: Wire) async throws {
        try await Fixture.run([.echo("*")], over: wire) { fixture in
            for (text, target) in [("/a|b/100%?q={x}&%7b", "/a%7Cb/100%25?q=%7Bx%7D&%7b"), ("/p?", "/p?")] {
                let echoed = try await fixture.client.send(
                    Request<EchoedRequest>(url: fixture.server.baseURL.description + text))
                #expect(echoed.target == target)
            }
        }
    }

    @Test(arguments: Wire.allCases) func theQueryOfATemplateArrivesByteForByte(wire: Wire) async throws {
        try await Fixture.run([.echo("*")], over: wire) { fixture in
            for text in ["/a?$filter={f}&a+b=1", "/a?%FF=1&&x", "/a?"] {
                let template = try URITemplate(text)
                let request = try Request<EchoedRequest>(template, ["f": "x y"], serializer: .json)
                #expect(try await fixture.client.send(request).target == template.expand(["f": "x y"]))
            }
        }
    }

    @Test(arguments: Wire.allCases) func clientCredentialsAreNotSentToOtherOrigins(wire: Wire) async throws {
        let session = HTTPField.Name("X-Session-Token")
        let setup = Fixture.Setup.client {
            $0.headers[.authorization] = "Bearer s"
            $0.headers[session] = "s"
        }
        try await Fixture.run([.echo()], over: wire, with: setup) { fixture in
            // Another port is another origin; the transport trusts only the first server's authority.
            let other = try await TestServer.start([.echo()])
            var based = RequestOptions()
            based.baseURL = other.baseURL
            let absolute = RequestOptions(absoluteURL: "\(other.baseURL)/echo")
            for options in [based, absolute] {
                let echoed = try await fixture.client.send(Request<EchoedRequest>("echo", options: options))
                let names = Set(echoed.headers.map { $0.name.lowercased() })
                #expect(names.isDisjoint(with: ["authorization", "x-session-token"]))
                #expect(names.contains("user-agent"))
                var trusting = options
                trusting.sendsCredentialsToOtherOrigins = true
                let told = try await fixture.client.send(Request<EchoedRequest>("echo", options: trusting))
                #expect(
                    Set(told.headers.map { $0.name.lowercased() }).isSuperset(of: ["authorization", "x-session-token"]))
            }
            let home = try await fixture.client.send(Request<EchoedRequest>("echo"))
            #expect(home.headers.contains { $0.name.lowercased() == "authorization" && $0.value == "Bearer s" })
            await other.stop()
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .delete, .options, .post, .put, .patch])
    func aQueryIsSentWithEveryMethodAndBesideAForm(method: HTTPRequest.Method) async throws {
        try await Fixture.run([.echo()]) { fixture in
            let bodies: [RequestBody] = method == .head ? [.none] : [.none, .form([QueryItem("f", "x y")])]
            for body in bodies {
                let request = Request<Bytes>("echo", method: method, query: [QueryItem("q", "1&2")], body: body)
                _ = try await fixture.client.raw(request)
                let seen = try #require(fixture.server.requests.last)
                #expect(seen.target == "/echo?q=1%262")
                #expect(seen.method == method)
            }
            if method != .head { #expect(fixture.server.requests.last?.body == Bytes("f=x+y".utf8)) }
        }
    }
}
#endif
