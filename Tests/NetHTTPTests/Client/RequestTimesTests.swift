#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The times of the request and of the response's head, with real servers. Bounds are the pauses of the servers and of the
/// bodies, less the resolution of timers.
@Suite(.timeLimit(.minutes(2))) struct RequestTimesTests {
    private static let pause = Duration.milliseconds(300)
    private static let almost = Duration.milliseconds(290)

    private func metrics(_ wire: Wire, _ request: Request<String>, _ stubs: [Stub]) async throws -> TransferMetrics {
        try await Fixture.run(stubs, over: wire) { fixture in
            // The connection is there already.
            try await fixture.client.send(Request<String>("ready", serializer: .string))
            return try #require(try await fixture.client.response(request).metrics)
        }
    }

    private let ready = Stub(.get, "/ready", .text("ok"))

    @Test(arguments: Wire.allCases, ["GET", "POST", "PUT"]) func theFirstByteIsThatOfTheResponse(
        wire: Wire, method: String
    ) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let stub = Stub(method, "/late", StubResponse.text("late").delayed(by: Self.pause))
        let body: RequestBody = method == .get ? .none : .text("a small body")
        let request = Request<String>("late", method: method, body: body, serializer: .string)
        let metrics = try await metrics(wire, request, [ready, stub])
        let started = try #require(metrics.requestStarted)
        let sent = try #require(metrics.requestSent)
        let head = try #require(metrics.firstByte)
        #expect(started <= sent)
        #expect(head - sent >= Self.almost)
        #expect(head <= metrics.total)
        #expect(metrics.phases.waiting == head - sent)
        #expect((metrics.phases.sending == nil) == (method == .get))
    }

    @Test(arguments: Wire.allCases, [20, nil] as [Int64?]) func aSlowBodyIsSending(
        wire: Wire, length: Int64?
    ) async throws {
        // Produced when it is read.
        let number = Locked(0)
        let pieces = AsyncStream<Bytes> {
            number.change { $0 += 1 }
            guard number.value <= 4 else { return nil }
            if number.value > 1 { try? await Task.sleep(for: .milliseconds(100)) }
            return Bytes("piece".utf8)
        }
        let request = Request<String>(
            "body", method: .post, body: .stream(pieces, length: length), serializer: .string)
        let metrics = try await metrics(wire, request, [ready, Stub(.post, "/body", .text("thanks"))])
        #expect(try #require(metrics.phases.sending) >= Self.almost)
        #expect(try #require(metrics.requestSent) <= #require(metrics.firstByte))
    }

    /// The connection takes no more, because the server doesn't read.
    @Test func aBodyInMemoryIsSendingUntilItsLastByte() async throws {
        let body = Bytes([UInt8](repeating: 7, count: 32 << 20))
        let peer = try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            usleep(300_000)
            _ = connection.read(body.count)
            usleep(300_000)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.waitForClose()
        }
        defer { peer.stop() }
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        let request = Request<String>("x", method: .put, body: .bytes(body), serializer: .string)
        let metrics = try #require(try await client.response(request).metrics)
        #expect(try #require(metrics.phases.sending) >= Self.almost)
        #expect(try #require(metrics.phases.waiting) >= Self.almost)
        await client.shutdown()
    }

    @Test func anInterimResponseIsNoFirstByte() async throws {
        let peer = try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")
            usleep(300_000)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.waitForClose()
        }
        defer { peer.stop() }
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        let metrics = try #require(try await client.response(Request<String>("x", serializer: .string)).metrics)
        #expect(try #require(metrics.firstByte) >= Self.almost)
        #expect(try #require(metrics.phases.waiting) >= Self.almost)
        await client.shutdown()
    }

    @Test func aResponseMayComeBeforeTheWholeBody() async throws {
        let peer = try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno")
            connection.waitForClose()
        }
        defer { peer.stop() }
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        let body = Bytes([UInt8](repeating: 7, count: 64 << 20))
        let request = Request<Bytes>("x", method: .put, body: .bytes(body), serializer: .bytes)
        let metrics = try #require(try await client.raw(request).metrics)
        #expect(metrics.requestSent == nil)
        #expect(metrics.firstByte != nil)
        #expect(metrics.phases.sending != nil)
        #expect(metrics.phases.waiting == .zero)
        await client.shutdown()
    }
}
#endif
