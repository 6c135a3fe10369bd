#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The behaviors required by the conformance suite of Swift's abstract HTTP client (apple/swift-http-api-proposal,
/// module `HTTPClientConformance`), with its names. Interleaved bodies are in `FullDuplexTests`.
@Suite(.timeLimit(.minutes(1))) struct AbstractClientTests {
    // MARK: Responses of a raw peer

    /// Runs with a peer that responds to each request with these exact bytes, and then closes.
    private func raw<Value>(
        _ response: String, _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let peer = try ScriptedPeer { connection, _ in
            if connection.readHead() != nil { connection.send(response) }
        }
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        defer { peer.stop() }
        do {
            let value = try await body(client)
            await client.shutdown()
            return value
        } catch {
            await client.shutdown()
            throw error
        }
    }

    private let any = Request<Bytes>("x", options: RequestOptions(validation: .any), serializer: .bytes)

    @Test(arguments: ["FOOBAR", "Http/1.1 200 OK\r\nConnection: close\r\n\r\n"])
    func notHTTP_badHTTPCase(response: String) async throws {
        let error = try await failure { try await raw(response) { try await $0.send(any) } }
        #expect(error.code == .protocolViolation || error.code == .connectionLost, "\(error)")
    }

    @Test func noReason() async throws {
        let response = try await raw("HTTP/1.1 200\r\nConnection: close\r\n\r\n") { try await $0.response(any) }
        #expect(response.status == .ok)
    }

    @Test(arguments: [(204, "No Content"), (304, "Not Modified")])
    func noContentWithContentLength_notModifiedWithContentLength(status: Int, reason: String) async throws {
        let response = try await raw(
            "HTTP/1.1 \(status) \(reason)\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n"
        ) { try await $0.response(any) }
        #expect(response.status.code == status)
        #expect(response.value.isEmpty)
    }

    @Test(arguments: ["1000", "10, 4"]) func incompleteBody_conflictingContentLength(length: String) async throws {
        await #expect(throws: (any Error).self) {
            try await raw("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n1234") {
                try await $0.send(any)
            }
        }
    }

    @Test func noLengthHint() async throws {
        let body = try await raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n1234") { try await $0.send(any) }
        #expect(body == Bytes("1234".utf8))
    }

    // MARK: A server

    private let text = Request<String>("x", serializer: .string)

    @Test(arguments: [HTTPRequest.Method.head, .get, .put, .post, .delete]) func ok(method: HTTPRequest.Method)
        async throws
    {
        try await Fixture.run([Stub(nil, "/x", .status(.ok))]) { fixture in
            var request = any
            request.method = method
            let response = try await fixture.client.response(request)
            #expect(response.status == .ok)
            #expect(response.value.isEmpty)
        }
    }

    @Test func echoString_emptyChunkedBody_echo1MBBody() async throws {
        try await Fixture.run([.mirror()]) { fixture in
            for (count, length) in [(11, nil), (0, 0), (1_000_000, 1_000_000)] as [(Int, Int64?)] {
                let sent = Bytes(repeatElement(UInt8(ascii: "A"), count: count))
                let chunks = AsyncStream<Bytes> { feed in
                    if count > 0 { feed.yield(sent) }
                    feed.finish()
                }
                let body = RequestBody.stream(chunks, length: length)
                let echo = try await fixture.client.send(
                    Request<Bytes>("mirror", method: .post, body: body, serializer: .bytes))
                #expect(echo == sent)
            }
        }
    }

    /// Includes Brotli with the trait `Compression`.
    @Test(arguments: CodedSample.all) func gzip_deflate_brotli(sample: CodedSample) async throws {
        let stub = Stub(.get, "/x") { request in
            let isKnown = request.headers[.acceptEncoding]?.contains(sample.coding) == true
            return isKnown
                ? StubResponse(headers: [.contentEncoding: sample.coding], body: .bytes(sample.bytes))
                : .text("not asked for")
        }
        try await Fixture.run([stub]) { fixture in
            let response = try await fixture.client.response(text)
            #expect(response.value == CodedSample.text)
            #expect(response.head[.contentEncoding] == sample.coding)
        }
    }

    @Test func identity() async throws {
        try await Fixture.run([Stub(.get, "/x", .text("TEST\n"))]) { fixture in
            let response = try await fixture.client.response(text)
            #expect(response.value == "TEST\n")
            #expect(response.head[.contentEncoding] == nil)
        }
    }

    @Test func customHeader_clientSendsEmptyHeaderValue_clientSendsMultiValueHeader() async throws {
        try await Fixture.run([Stub(nil, "/x", .text("ok"))]) { fixture in
            var request = text
            request.headers["X-Foo"] = "BARbaz"
            request.headers["X-Empty"] = ""
            request.headers.append(HTTPField(name: "X-Test", value: "one"))
            request.headers.append(HTTPField(name: "X-Test", value: "two"))
            try await fixture.client.send(request)
            let seen = try #require(fixture.server.requests.first).headers
            #expect(seen["X-Foo"] == "BARbaz")
            #expect(seen[values: "X-Empty"] == [""])
            #expect(seen[values: "X-Test"] == ["one", "two"])
        }
    }

    @Test func serverSendsMultiValueHeader() async throws {
        var response = StubResponse.text("ok")
        for value in ["one", "two"] { response.headers.append(HTTPField(name: "X-Test", value: value)) }
        try await Fixture.run([Stub(.get, "/x", response)]) { fixture in
            let head = try await fixture.client.response(text).head
            #expect(head.headers[values: "X-Test"] == ["one", "two"])
        }
    }

    @Test(arguments: [HTTPResponse.Status.movedPermanently, .permanentRedirect])
    func basicRedirect(status: HTTPResponse.Status) async throws {
        let stubs = [Stub(.get, "/x", .status(status).header(.location, "/echo")), .echo()]
        try await Fixture.run(stubs) { fixture in
            let echo = try await fixture.client.send(Request<EchoedRequest>("x"))
            #expect(echo.method == "GET")
            #expect(echo.bodyBytes == 0)
        }
    }

    @Test func infiniteRedirect() async throws {
        let stubs = [
            Stub(.get, "/x", .status(.movedPermanently).header(.location, "/y")),
            Stub(.get, "/y", .status(.movedPermanently).header(.location, "/x")),
        ]
        try await Fixture.run(stubs) { fixture in
            let error = try await failure { try await fixture.client.send(text) }
            #expect(error.code == .redirect)
        }
    }

    @Test(arguments: [404, 999]) func notFound_statusOutOfRangeButValid(status: Int) async throws {
        try await Fixture.run([Stub(.get, "/x", .status(HTTPResponse.Status(code: status)))]) { fixture in
            let response = try await fixture.client.response(any)
            #expect(response.status.code == status)
            #expect(response.value.isEmpty)
        }
    }

    @Test func stressTest() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    let client = HTTPClient(baseURL: fixture.server.baseURL, transport: fixture.transport)
                    group.addTask { try await !client.send(Request<Bytes>("echo", serializer: .bytes)).isEmpty }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(count == 100)
        }
    }

    @Test func getConvenience_postConvenience() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let got = try await fixture.client.get("echo", as: EchoedRequest.self)
            let posted = try await fixture.client.send(
                Request<EchoedRequest>("echo", method: .post, body: .text("Hello World")))
            #expect(got.method == "GET")
            #expect(got.bodyBytes == 0)
            #expect(posted.method == "POST")
            #expect(posted.bodyBytes == 11)
        }
    }

    /// A response that never arrives, and one whose body never arrives.
    @Test(arguments: [false, true]) func cancelPreHeaders_cancelPreBody(hasHead: Bool) async throws {
        let stub = Stub(.get, "/x") { _ in
            hasHead
                ? StubResponse(body: .chunks([StubChunk("A"), StubChunk("B", after: .seconds(60))]))
                : .text("late").delayed(by: .seconds(60))
        }
        try await Fixture.run([stub]) { fixture in
            let hasBegun = Locked(false)
            let task = Task {
                let response = try await fixture.client.stream("x")
                for try await _ in response.body { hasBegun.change { $0 = true } }
            }
            while hasHead ? !hasBegun.value : fixture.server.requests.isEmpty, !Task.isCancelled { await Task.yield() }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func underRead_dripRead() async throws {
        try await Fixture.run([.pattern(bytes: 1_000_000)]) { fixture in
            let left = try await fixture.client.stream("bytes")
            var iterator = left.body.makeAsyncIterator()
            #expect(try await iterator.next()?.first == BytePattern.byte(at: 0))
            left.body.cancel()
            var bytes: [UInt8] = []
            for try await chunk in try await fixture.client.stream("bytes").body {
                for byte in chunk { bytes.append(byte) }
            }
            #expect(bytes.count == 1_000_000)
            #expect(BytePattern.matches(bytes, at: 0))
        }
    }

    @Test func headWithContentLength() async throws {
        try await Fixture.run([Stub(.head, "/x", .status(.ok).header(.contentLength, "1000"))]) { fixture in
            var request = any
            request.method = .head
            let response = try await fixture.client.response(request)
            #expect(response.head[.contentLength] == "1000")
            #expect(response.value.isEmpty)
        }
    }

    @Test func basicCookieSetAndUse() async throws {
        let stubs = [
            Stub(.get, "/x", .text("ok").header(.setCookie, "foo=bar; Path=/")).times(1), Stub(.get, "/x", .text("ok")),
        ]
        try await Fixture.run(stubs, with: .client { $0.middleware = [CookieMiddleware()] }) { fixture in
            for _ in 0..<2 { try await fixture.client.send(text) }
            #expect(fixture.server.requests.map { $0.headers[.cookie] } == [nil, "foo=bar"])
        }
    }

    @Test func urlParams() async throws {
        try await Fixture.run([Stub(.get, "/x", .text("ok"))]) { fixture in
            let query: QueryItems = ["foo": "bar", "bar": "baz", "baz": "qux", "qux": "", "foo": "phew"]
            try await fixture.client.send(Request<String>("x", query: query, serializer: .string))
            #expect(fixture.server.requests.first?.target == "/x?foo=bar&bar=baz&baz=qux&qux=&foo=phew")
        }
    }

    /// The stored response is reused once the server confirms it, with the headers of the confirmation.
    @Test func eTag() async throws {
        let counter = Locked(0)
        let stub = Stub(.get, "/x") { request in
            var tag = 0
            counter.change { tag = $0 }
            let isKnown = request.headers[.ifNoneMatch] == "\"\(tag)\""
            if isKnown { counter.change { $0 += 1 } }
            var response = isKnown ? StubResponse.status(.notModified) : .text("\(tag)")
            response.headers[.eTag] = "\"\(tag)\""
            response.headers["Cached"] = isKnown ? "true" : "false"
            return response
        }
        try await Fixture.run([stub], with: .client { $0.middleware = [CacheMiddleware()] }) { fixture in
            for turn in 0..<6 {
                let response = try await fixture.client.response(text)
                #expect(response.status == .ok)
                #expect(response.value == "\(turn / 2)")
                #expect(response.head[.eTag] == "\"\(turn / 2)\"")
                #expect(response.head["Cached"] == (turn % 2 == 0 ? "false" : "true"))
            }
        }
    }

    @Test func trailerRead_trailerWrite() async throws {
        let (one, two): (HTTPField.Name, HTTPField.Name) = ("X-Trailer-One", "X-Trailer-Two")
        let stub = Stub(.post, "/x", StubResponse(body: .chunks([StubChunk("body")]), trailers: [one: "1", two: "2"]))
        try await Fixture.run([stub]) { fixture in
            let body = RequestBody.text("Hello World").trailers([one, two]) { [one: "first", two: "second"] }
            let response = try await fixture.client.stream(
                Request<String>("x", method: .post, body: body, serializer: .string))
            #expect(try await response.body.collect(upTo: 100) == Bytes("body".utf8))
            #expect(response.body.trailers == [one: "1", two: "2"])
            #expect(fixture.server.requests.first?.trailers == [one: "first", two: "second"])
        }
    }
}
#endif
