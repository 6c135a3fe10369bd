#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Declared as a type; the same as a value below.
private struct Place: APIRequest {
    typealias Response = EchoedRequest
    struct Order: Encodable, Sendable { let item: String }

    let order: Order
    let trace: HTTPField.Name
    var path: Path { "echo" }
    var method: HTTPRequest.Method { .post }
    @HeadersBuilder var headers: HTTPFields {
        HTTPField(name: .acceptLanguage, value: "de")
        for value in ["1", "2"] { HTTPField(name: trace, value: value) }
    }
    @QueryBuilder var query: QueryItems {
        QueryItem("dry", true)
        QueryItem("q", "a b")
    }
    var body: RequestBody { .json(order) }
    var options: RequestOptions { RequestOptions(idempotencyKey: "k1") }
}

/// The headers, method and body of a request as received by the server.
@Suite(.timeLimit(.minutes(2))) struct RequestFieldsTests {
    private func values(_ name: String, _ request: EchoedRequest) -> [String] {
        request.headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    @Test(arguments: Wire.allCases) func aRequestAsATypeIsTheSameAsAValue(wire: Wire) async throws {
        let trace = HTTPField.Name("X-Trace")
        try await Fixture.run([.echo()], over: wire) { fixture in
            let order = Place.Order(item: "ü")
            let typed = try await fixture.client.send(Place(order: order, trace: trace))
            var headers: HTTPFields = [.acceptLanguage: "de"]
            for value in ["1", "2"] { headers.append(HTTPField(name: trace, value: value)) }
            let value = try await fixture.client.send(
                Request<EchoedRequest>(
                    "echo", method: .post, query: [QueryItem("dry", true), QueryItem("q", "a b")], headers: headers,
                    body: .json(order), options: RequestOptions(idempotencyKey: "k1")))
            #expect(typed == value)
            #expect(typed.target == "/echo?dry=true&q=a%20b")
            #expect(typed.method == "POST")
            #expect(values("x-trace", typed) == ["1", "2"])
            #expect(values("idempotency-key", typed) == ["k1"])
            #expect(Data(base64Encoded: typed.bodyBase64) == Data(#"{"item":"ü"}"#.utf8))
        }
    }

    @Test(arguments: Wire.allCases) func aLaterSourceReplacesEveryFieldOfItsName(wire: Wire) async throws {
        let (one, two) = (HTTPField.Name("X-One"), HTTPField.Name("X-Two"))
        let key = HTTPField.Name("Idempotency-Key")
        let setup = Fixture.Setup.client {
            for value in ["client 1", "client 2"] {
                for name in [one, two, key] { $0.headers.append(HTTPField(name: name, value: value)) }
            }
            $0.headers[.contentType] = "client/type"
            $0.headers[.accept] = "client/accept"
        }
        try await Fixture.run([.echo()], over: wire, with: setup) { fixture in
            var own = HTTPFields()
            for value in ["own 1", "own 2"] { own.append(HTTPField(name: two, value: value)) }
            own[key] = "own"
            let echoed = try await fixture.client.send(
                Request<EchoedRequest>(
                    "echo", method: .put, headers: own, body: .text("x"), options: RequestOptions(idempotencyKey: "k")))
            #expect(values("x-one", echoed) == ["client 1", "client 2"])
            #expect(values("x-two", echoed) == ["own 1", "own 2"])
            #expect(values("idempotency-key", echoed) == ["k"])
            #expect(values("content-type", echoed) == ["text/plain; charset=utf-8"])
            #expect(values("accept", echoed) == ["client/accept"])
            own[.contentType] = "own/type"
            own[.accept] = "own/accept"
            let chosen = try await fixture.client.send(
                Request<EchoedRequest>("echo", method: .put, headers: own, body: .text("x")))
            #expect(values("content-type", chosen) == ["own/type"])
            #expect(values("accept", chosen) == ["own/accept"])
            #expect(values("idempotency-key", chosen) == ["own"])
        }
    }

    @Test(arguments: Wire.allCases) func severalSetCookieFieldsStayApart(wire: Wire) async throws {
        var fields = HTTPFields()
        for value in ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"] {
            fields.append(HTTPField(name: .setCookie, value: value))
        }
        try await Fixture.run([Stub(.get, "/x", StubResponse(headers: fields))], over: wire) { fixture in
            let response = try await fixture.client.response(Request<Bytes>("x"))
            #expect(response.head.headers[values: .setCookie] == fields[values: .setCookie])
        }
    }

    @Test(arguments: Wire.allCases) func everyMethodKeepsItsNameAndBody(wire: Wire) async throws {
        try await Fixture.run([.echo()], over: wire) { fixture in
            // The server's HTTP/1.1 parser supports no others.
            let names = ["TRACE", "QUERY", "PURGE"] + (wire == .http2 ? ["pUrGe", "get"] : [])
            for name in names {
                let method = try #require(HTTPRequest.Method(name))
                let body: RequestBody = name == "TRACE" ? .none : .text("select \(name)")
                let echoed = try await fixture.client.send(Request<EchoedRequest>("echo", method: method, body: body))
                #expect(echoed.method == name)
                #expect(echoed.bodyBytes == (name == "TRACE" ? 0 : 7 + name.utf8.count))
            }
        }
    }

    @Test(arguments: ["pUrGe", "get", "M-SEARCH"]) func aMethodKeepsItsCaseOnAnyConnection(name: String) async throws {
        let peer = try RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { peer.stop() }
        let client = HTTPClient(baseURL: peer.baseURL)
        let method = try #require(HTTPRequest.Method(name))
        try await client.send(Request<Void>("x", method: method))
        #expect(peer.received.value.hasPrefix("\(name) /x HTTP/1.1\r\n"))
        await client.shutdown()
    }

    @Test(arguments: Wire.allCases) func typedFieldValuesArriveAsText(wire: Wire) async throws {
        try await Fixture.run([.echo()], over: wire) { fixture in
            var headers = HTTPFields()
            headers.accepted = ["application/json", Weighted("text/plain", quality: 0.5)]
            headers.acceptedLanguages = ["de", Weighted("en", quality: 0.1)]
            headers.acceptedEncodings = ["identity"]
            headers.authorization = try .basic(user: "ada", password: "pässword")
            headers.mediaType = MediaType("text/plain; charset=\"x y\"")
            let echoed = try await fixture.client.send(
                Request<EchoedRequest>("echo", method: .post, headers: headers, body: .text("x")))
            #expect(values("accept", echoed) == ["application/json, text/plain;q=0.5"])
            #expect(values("accept-language", echoed) == ["de, en;q=0.1"])
            #expect(values("accept-encoding", echoed) == ["identity"])
            #expect(values("authorization", echoed) == ["Basic YWRhOnDDpHNzd29yZA=="])
            #expect(values("content-type", echoed) == ["text/plain; charset=\"x y\""])
        }
    }

    @Test(arguments: Wire.allCases) func aConnectionThatIsToCloseDoes(wire: Wire) async throws {
        try await Fixture.run([.echo()], over: wire) { fixture in
            var headers = HTTPFields()
            headers.connection = [.close]
            for _ in 0..<2 {
                let echoed = try await fixture.client.send(Request<EchoedRequest>("echo", headers: headers))
                #expect(values("connection", echoed) == (wire == .http2 ? [] : ["close"]))
            }
            #expect(fixture.server.statistics.connections == (wire == .http2 ? 1 : 2))
        }
    }

    @Test(arguments: Wire.allCases) func bodiesArriveByteForByte(wire: Wire) async throws {
        let bytes = Bytes((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let bodies: [(RequestBody, String?, Bytes)] = [
            (.bytes(bytes), "application/octet-stream", bytes), (.bytes(bytes.data, contentType: nil), nil, bytes),
            (.text("é"), "text/plain; charset=utf-8", Bytes([0xc3, 0xa9])),
            (.text("é", charset: .latin1), "text/plain; charset=iso-8859-1", Bytes([0xe9])),
            (.text("é", charset: .utf16LittleEndian), "text/plain; charset=utf-16le", Bytes([0xe9, 0])),
            (
                .form([QueryItem("a", "b +&é"), .flag("c")]), "application/x-www-form-urlencoded",
                Bytes("a=b+%2B%26%C3%A9&c=".utf8)
            ),
            (
                RequestBody { _ in .init(.bytes(Bytes("x".utf8)), contentType: "a/b", headers: [.contentLanguage: "de"])
                },
                "a/b", Bytes("x".utf8)
            ),
        ]
        try await Fixture.run([.echo()], over: wire) { fixture in
            for (body, type, expected) in bodies {
                let echoed = try await fixture.client.send(
                    Request<EchoedRequest>("echo", method: .post, body: body))
                #expect(Data(base64Encoded: echoed.bodyBase64) == expected.data)
                #expect(values("content-type", echoed) == (type.map { [$0] } ?? []))
                if type == "a/b" { #expect(values("content-language", echoed) == ["de"]) }
            }
        }
    }

    @Test func aCharacterThatTheCharsetLacksIsNeverSent() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let request = Request<EchoedRequest>("echo", method: .post, body: .text("€", charset: .latin1))
            let error = try await failure { try await fixture.client.send(request) }
            #expect(error.code == .encoding)
            #expect(error.phase == .preparing)
            #expect(fixture.server.requests.isEmpty)
        }
    }

    /// Handles are reused and connections are shared: no state of one call may appear in another.
    @Test(arguments: Wire.allCases) func sixtyFourCallsAtOnceKeepTheirOwn(wire: Wire) async throws {
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete, .patch]
        try await Fixture.run([.echo()], over: wire) { fixture in
            let client = fixture.client
            try await withThrowingTaskGroup(of: (Int, EchoedRequest).self) { group in
                for index in 0..<320 {
                    if index >= 64 { try await check(group.next(), methods) }
                    group.addTask {
                        let body: RequestBody = index % 3 == 0 ? .none : .text(String(repeating: "b", count: index))
                        var headers: HTTPFields = [:]
                        if index % 4 != 0 { headers[.authorization] = "Bearer \(index)" }
                        let request = Request<EchoedRequest>(
                            "echo", method: methods[index % 5], query: [QueryItem("n", index)], headers: headers,
                            body: body)
                        return (index, try await client.send(request))
                    }
                }
                while let next = try await group.next() { try check(next, methods) }
            }
            #expect(fixture.server.requests.count == 320)
        }
    }

    @Test func rawBytesAreAskedForAsTheValueIs() async throws {
        let transport = MockTransport { _, _ in .text("x") }
        let plain = HTTPClient(baseURL: "https://a.test", transport: transport)
        let own = plain.with { $0.headers[.accept] = "application/vnd.own+json" }
        let request = Request<[String: Int]>("x")
        for client in [plain, own] {
            _ = try await client.raw(request)
            let sent = try #require(transport.recordedRequests.last).headers
            #expect(sent[.accept] == (try client.prepare(request).head.headerFields[.accept]))
        }
    }

    #if os(Linux)
    /// RFC 9110 section 5.5: only the communicating parties know the meaning of such bytes.
    @Test func aValueThatIsNoTextGoesOutByteForByte() async throws {
        let seen = Locked<[UInt8]>([])
        let peer = try ScriptedPeer { connection, _ in
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = connection.read(1).first {
                head.append(byte)
            }
            seen.change { $0 = head }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let client = HTTPClient(baseURL: peer.baseURL)
        var headers: HTTPFields = ["X-B": "ü\u{fffd}"]
        headers.append(HTTPField(name: "X-A", value: [0x63, 0xe9] as [UInt8]))
        _ = try await client.raw(Request<Bytes>("x", headers: headers, serializer: .bytes))
        let head = seen.value
        for line in [Array("X-A: c".utf8) + [0xe9, 13, 10], Array("X-B: ü\u{fffd}\r\n".utf8)] {
            #expect(head.indices.contains { head[$0...].starts(with: line) })
        }
    }
    #endif

    private func check(_ answer: (Int, EchoedRequest)?, _ methods: [HTTPRequest.Method]) throws {
        let (index, echoed) = try #require(answer)
        #expect(echoed.target == "/echo?n=\(index)")
        #expect(echoed.method == methods[index % 5].rawValue)
        #expect(values("authorization", echoed) == (index % 4 == 0 ? [] : ["Bearer \(index)"]))
        #expect(echoed.bodyBytes == (index % 3 == 0 ? 0 : index))
        #expect(values("content-type", echoed).isEmpty == (index % 3 == 0))
    }
}
#endif
