#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Trailers after a request's body, as received by servers.
@Suite(.timeLimit(.minutes(2))) struct RequestTrailersTests {
    private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

    private func put(_ path: Path, _ body: RequestBody) -> Request<String> {
        Request(path, method: .put, body: body, serializer: .string)
    }

    @Test(arguments: Wire.allCases) func aServerGetsThemAfterTheBody(wire: Wire) async throws {
        let (sum, note) = (try name("X-Sum"), try name("X-Note"))
        let body = RequestBody.text("order").trailers([sum, note, .contentDisposition]) { [sum: "7", note: ""] }
        try await Fixture.run([.mirror(), Stub(.get, "/a", .text("a"))], over: wire) { fixture in
            // A reused HTTP/2 connection has no trailers to offer.
            #expect(try await fixture.client.stream(Request<String>("a", serializer: .string)).body.drain() == 1)
            #expect(try await fixture.client.send(put("mirror", body)) == "order")
            let seen = try #require(fixture.server.requests.last)
            #expect(seen.version == "1.1")
            #expect(seen.trailers == [sum: "7", note: ""])
            #expect(seen.headers[.trailer] == "X-Sum, X-Note, Content-Disposition")
            #expect(seen.headers[.contentLength] == nil)
            #expect(try await fixture.client.send(Request<String>("a", serializer: .string)) == "a")
            #expect(fixture.server.requests.last?.version == wire.version)
        }
    }

    @Test(arguments: [Wire.plain, .http2]) func callsWithAndWithoutThemFollowOneAnother(wire: Wire) async throws {
        let sum = try name("X-Sum")
        try await Fixture.run([.mirror()], over: wire) { fixture in
            for turn in 0..<12 {
                let text = String(repeating: "\(turn % 10)", count: turn * 20_000 + 1)
                var body = RequestBody.text(text)
                let chunks = AsyncStream<Bytes> { continuation in
                    continuation.yield(Bytes(text.utf8))
                    continuation.finish()
                }
                if turn % 3 == 1 { body = .stream(chunks) }
                if turn % 3 != 2 || turn > 8 { body = body.trailers([sum]) { turn % 2 == 0 ? [sum: "\(turn)"] : [:] } }
                if turn % 4 == 1 { body = .stream(chunks) }
                #expect(try await fixture.client.send(put("mirror", body)) == text)
                let seen = try #require(fixture.server.requests.last)
                let hasTrailers = seen.headers[.trailer] != nil
                #expect(hasTrailers == (turn % 4 != 1 && (turn % 3 != 2 || turn > 8)))
                #expect(seen.trailers == (hasTrailers && turn % 2 == 0 ? [sum: "\(turn)"] : nil), "\(turn)")
            }
        }
    }

    #if os(Linux)
    @Test func theBytesAreThoseOfRFC9112() async throws {
        let sum = try name("X-Sum")
        let received = Locked("")
        let peer = try ScriptedPeer { connection, _ in
            guard let head = connection.readHead(), let body = connection.readHead() else { return }
            received.change { $0 = head + body }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { peer.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration))
        let body = RequestBody.bytes("hello".utf8).trailers([sum]) {
            HTTPFields([HTTPField(name: sum, value: "7"), HTTPField(name: sum, value: "a, b\tc")])
        }
        #expect(try await client.send(put("x", body)) == "ok")
        #expect(received.value.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(received.value.contains("\r\nTrailer: X-Sum\r\n"))
        #expect(received.value.hasSuffix("\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 7\r\nX-Sum: a, b\tc\r\n\r\n"))
        await client.shutdown()
    }
    #endif

    private struct Broken: Error {}

    @Test func trailersThatCannotBeMadeEndTheCall() async throws {
        let sum = try name("X-Sum")
        try await Fixture.run([.mirror()]) { fixture in
            let body = RequestBody.text("order").trailers([sum]) { throw Broken() }
            let error = try await failure { try await fixture.client.send(put("mirror", body)) }
            #expect(error.code == .encoding)
            #expect(error.underlying is Broken)
            let other = RequestBody.text("order").trailers([sum]) { [.authorization: "SECRET"] }
            let refusal = try await failure { try await fixture.client.send(put("mirror", other)) }
            #expect(refusal.code == .invalidRequest)
            #expect(!"\(refusal)".contains("SECRET"))
            #expect(try await fixture.client.send(put("mirror", .text("next"))) == "next")
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aTransportOfHTTP2AloneRefusesThem() async throws {
        let sum = try name("X-Sum")
        try await Fixture.run([.mirror()], with: .transport { $0.version = .http2PriorKnowledge }) { fixture in
            let body = RequestBody.text("order").trailers([sum]) { [sum: "7"] }
            let error = try await failure { try await fixture.client.send(put("mirror", body)) }
            #expect(error.code == .unsupported)
            #expect(error.message.contains("trailers"))
            #expect(fixture.server.requests.isEmpty)
            #expect(try await fixture.client.send(put("mirror", .text("next"))) == "next")
        }
    }

    @Test func theyFollowABodyThatIsCompressedOrRedirected() async throws {
        let sum = try name("X-Sum")
        let body = RequestBody.text(String(repeating: "x", count: 5000)).trailers([sum]) { [sum: "7"] }
        let moved = Stub(.put, "/a", StubResponse(status: .temporaryRedirect, headers: [.location: "/mirror"]))
        try await Fixture.run([moved, .mirror()], with: .client { $0.middleware = [CompressionMiddleware()] }) {
            fixture in
            _ = try await fixture.client.raw(put("a", body))
            #expect(fixture.server.requests.count == 2)
            for seen in fixture.server.requests {
                #expect(seen.trailers == [sum: "7"])
                #expect(seen.headers[.contentEncoding] == "gzip")
            }
        }
    }

    @Test func aStubThatStreamsGetsThemToo() async throws {
        let sum = try name("X-Sum")
        let stub = Stub.streaming(.put, "/a") { _, body in
            _ = try await body.collect(upTo: 100)
            return .text(body.trailers?[sum] ?? "none")
        }
        let request = put("a", RequestBody.text("x").trailers([sum]) { [sum: "7"] })
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([stub]))
        #expect(try await client.send(request) == "7")
        try await Fixture.run([stub]) { fixture in
            let text = try await fixture.client.send(request)
            #expect(text == "7")
        }
    }
}
#endif
