#if os(Linux)
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct InterimResponseTests {
    private func withPeer<Value>(
        _ serve: @escaping @Sendable (ScriptedPeer.Connection, Int) -> Void,
        body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let peer = try ScriptedPeer(serve)
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        defer { peer.stop() }
        let value = try await body(client)
        await client.shutdown()
        return value
    }

    @Test func eachIsReportedBeforeTheResponse() async throws {
        let text =
            "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 2\r\n\r\nok"
        let serve: @Sendable (ScriptedPeer.Connection, Int) -> Void = { connection, _ in
            _ = connection.readHead()
            connection.send(text)
        }
        try await withPeer(serve) { client in
            let seen = Locked<[ResponseHead]>([])
            var request = Request<String>("x", serializer: .string)
            request.options.onInterimResponse = { head in seen.change { $0.append(head) } }
            let response = try await client.response(request)
            #expect(seen.value.map(\.status.code) == [102, 103])
            #expect(seen.value.last?.headers["Link"] == "</a.css>; rel=preload")
            #expect(response.head.headers.count == 2)
            #expect(response.value == "ok")
        }
    }

    /// A server that sends `100 Continue` to the first connection, and `417`, `401` or nothing to the others.
    private func upload(_ answer: @escaping @Sendable (ScriptedPeer.Connection) -> Void) async throws -> Int {
        let serve: @Sendable (ScriptedPeer.Connection, Int) -> Void = { connection, _ in answer(connection) }
        return try await withPeer(serve) { client in
            var request = Request<Bytes>("x", method: .post, body: .text("body"), serializer: .bytes)
            request.options.expectContinue = .seconds(20)
            request.options.validation = .any
            return try await client.response(request).status.code
        }
    }

    /// Over HTTP/2, a body that isn't wanted is ended by the server, so nothing waits.
    @Test(.enabled(if: NginxSite.program != nil)) func nobodyWaitsForConsentOverHTTP2() async throws {
        let settings = "location / { return 200 'ok'; }"
        try await NginxSite.withHTTP2(settings) { client, _ in
            for _ in 0..<2 {
                var request = Request<String>("x", method: .post, body: .text("body"), serializer: .string)
                request.options.expectContinue = .seconds(60)
                request.options.timeouts = .total(.seconds(20))
                let response = try await client.response(request)
                #expect(response.value == "ok")
                #expect(response.head.version == "2")
            }
        }
    }

    @Test func theBodyWaitsForTheServersConsent() async throws {
        let order = Locked<[String]>([])
        let status = try await upload { connection in
            let head = connection.readHead() ?? ""
            order.change { $0.append(head.contains("Expect: 100-continue") ? "asked" : head) }
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            order.change { $0.append(String(decoding: connection.read(4), as: UTF8.self)) }
            connection.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(status == 201)
        #expect(order.value == ["asked", "body"])
    }

    @Test func aFinalAnswerSparesTheBody() async throws {
        let rest = Locked<Int?>(nil)
        let status = try await upload { connection in
            _ = connection.readHead()
            connection.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
            rest.change { $0 = connection.read(4).count }
        }
        #expect(status == 401)
        while rest.value == nil, !Task.isCancelled { await Task.yield() }
        #expect(rest.value == 0)
    }

    @Test func aServerThatDoesNotKnowTheFieldIsAskedWithoutIt() async throws {
        let heads = Locked<[String]>([])
        let status = try await upload { connection in
            while let head = connection.readHead() {
                heads.change { $0.append(head) }
                if head.contains("Expect:") {
                    connection.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 3\r\n\r\nno!")
                } else {
                    _ = connection.read(4)
                    connection.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
                }
            }
        }
        #expect(status == 201)
        #expect(heads.value.count == 2)
    }

    @Test func aBodyIsSentAtOnceByDefault() async throws {
        let head = Locked("")
        let serve: @Sendable (ScriptedPeer.Connection, Int) -> Void = { connection, _ in
            head.change { $0 = connection.readHead() ?? "" }
            _ = connection.read(3_000_000)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        try await withPeer(serve) { client in
            let body = RequestBody.text(String(repeating: "a", count: 3_000_000))
            try await client.send(Request<Bytes>("x", method: .put, body: body, serializer: .bytes))
            #expect(!head.value.contains("Expect"))
        }
    }
}
#endif
