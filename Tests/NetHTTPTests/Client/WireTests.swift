#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct WireTests {
    private func echo(_ fixture: Fixture, _ request: Request<EchoedRequest>) async throws -> EchoedRequest {
        try await fixture.client.send(request)
    }

    private func names(_ request: EchoedRequest) -> Set<String> { Set(request.headers.map { $0.name.lowercased() }) }

    /// Every method after every other one on a single pooled handle: no setting may carry over to the next request.
    @Test(arguments: [Wire.plain, .http2]) func methodsFollowEachOtherOnOneHandle(wire: Wire) async throws {
        try await Fixture.run([.echo()], over: wire) { fixture in
            let kinds: [(HTTPRequest.Method, String?)] = [
                (.get, nil), (.post, "a"), (.put, "bb"), (.delete, nil), (.patch, "ccc"), (.post, nil), (.put, nil),
                (.options, nil), (HTTPRequest.Method("PURGE")!, nil), (.delete, "dddd"), (.get, "eeeee"),
            ]
            for (method, text) in kinds.flatMap({ first in kinds.flatMap { [first, $0] } }) {
                let body = text.map { RequestBody.text($0) } ?? .none
                let echoed = try await echo(fixture, Request("echo", method: method, body: body))
                #expect(echoed.method == method.rawValue)
                #expect(echoed.bodyBytes == text?.count ?? 0)
                #expect(names(echoed).contains("content-type") == (text != nil))
            }
            #expect(fixture.server.statistics.connections == 1)
        }
    }

    /// RFC 6265 section 5.4.
    @Test func cookiesGoOutInOneLine() async throws {
        let peer = try RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let client = HTTPClient(baseURL: peer.baseURL)
        var headers: HTTPFields = [.accept: "*/*"]
        for cookie in ["a=1", "b=2; c=3"] { headers.append(HTTPField(name: .cookie, value: cookie)) }
        try await client.send(Request<Bytes>("x", headers: headers))
        let lines = peer.received.value.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("cookie:") }
        #expect(lines == ["Cookie: a=1; b=2; c=3"])
        await client.shutdown()
        peer.stop()
    }

    @Test func eachMethodAfterEachOther() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let kinds: [(HTTPRequest.Method, String?)] = [
                (.get, nil), (.head, nil), (.post, "a"), (.post, nil), (.delete, nil), (.put, "bb"),
            ]
            for first in kinds {
                for second in kinds {
                    for (method, text) in [first, second] {
                        let body = text.map { RequestBody.text($0) } ?? .none
                        let raw = try await fixture.client.raw(
                            Request<Bytes>("echo", method: method, body: body, serializer: .bytes))
                        let seen = try #require(fixture.server.requests.last)
                        #expect(seen.method == method)
                        #expect(seen.bodyBytes == Int64(text?.count ?? 0))
                        #expect(raw.value.isEmpty == (method == .head))
                    }
                }
            }
        }
    }

    @Test func theWireShowsWhatWasPrepared() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let request = Request<EchoedRequest>(
                "echo", method: .post, query: [QueryItem("a b", "c+d&e=f/ü")],
                headers: [.accept: "application/json", "X-One": "1", "X-Empty": ""],
                body: .json(["k": "v"]))
            let prepared = try fixture.client.prepare(request)
            let echoed = try await echo(fixture, request)
            #expect(echoed.target == prepared.head.path)
            #expect(echoed.target == "/echo?a%20b=c%2Bd%26e%3Df%2F%C3%BC")
            let sent = echoed.headers.filter { !["host", "content-length"].contains($0.name.lowercased()) }
            #expect(
                sent.map { "\($0.name): \($0.value)" }
                    == prepared.head.headerFields.map { "\($0.name.rawName): \($0.value)" })
        }
    }

    @Test func aMethodThatUsuallyHasABodySaysThatItHasNone() async throws {
        try await Fixture.run([.echo()]) { fixture in
            for method in [HTTPRequest.Method.post, .put, .patch] {
                let echoed = try await echo(fixture, Request("echo", method: method))
                #expect(echoed.headers.first { $0.name.lowercased() == "content-length" }?.value == "0")
            }
            let echoed = try await echo(fixture, Request("echo", method: .delete))
            #expect(!names(echoed).contains("content-length"))
        }
    }

    @Test func theLibraryAddsOnlyWhatItCanDecode() async throws {
        try await Fixture.run([.echo()], with: .client { $0.headers = [:] }) { fixture in
            let raw = try await fixture.client.raw(
                Request<Bytes>(
                    "echo", method: .post, body: .bytes("x".utf8, contentType: nil), serializer: .bytes))
            let echoed = try JSONCoding.standard.decode(EchoedRequest.self, from: raw.value)
            #expect(names(echoed) == ["host", "content-length", "accept-encoding"])
        }
    }

    @Test func aFieldCannotBreakTheFramingOfTheBody() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let request = Request<EchoedRequest>(
                "echo", method: .post,
                headers: [.contentLength: "3", .transferEncoding: "chunked"], body: .text("seven b"))
            let echoed = try await echo(fixture, request)
            #expect(echoed.bodyBytes == 7)
            let prepared = try fixture.client.prepare(request).head.headerFields
            #expect(prepared[.contentLength] == nil)
            #expect(prepared[.transferEncoding] == nil)
            #expect(echoed.headers.filter { $0.name.lowercased() == "content-length" }.map(\.value) == ["7"])
        }
    }

    @Test func hostileValuesStayInOneSegment() async throws {
        try await Fixture.run([.echo("/users/{id}")]) { fixture in
            for (id, target) in [("a/b", "a%2Fb"), ("?x=1#y", "%3Fx%3D1%23y"), ("ü %", "%C3%BC%20%25"), ("..x", "..x")]
            {
                let echoed = try await echo(fixture, Request("users/\(id)"))
                #expect(echoed.target == "/users/\(target)")
            }
            let error = try await failure {
                try await fixture.client.send(Request<EchoedRequest>("users/\("..")"))
            }
            #expect(error.code == .invalidRequest)
        }
    }

    @Test func severalSetCookieFieldsStayApart() async throws {
        let peer = try RawPeer(
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=1, x\r\nset-cookie: b=2\r\nContent-Length: 2\r\n\r\nok")
        defer { peer.stop() }
        let client = HTTPClient(baseURL: peer.baseURL)
        let response = try await client.response(Request<Bytes>("", serializer: .bytes))
        #expect(response.head.headers[values: .setCookie] == ["a=1, x", "b=2"])
        await client.shutdown()
    }
}
#endif
