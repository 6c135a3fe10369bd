#if Server
@testable import ClientTestSupport
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Responses that are read while the request's body is still being sent.
@Suite(.timeLimit(.minutes(1))) struct FullDuplexTests {
    /// Each byte is sent only after the previous one has come back, which requires bodies in both directions at the
    /// same time.
    @Test(arguments: Wire.allCases) func aThousandBytesComeBackOneByOne(wire: Wire) async throws {
        try await Fixture.run([.mirror()], over: wire) { fixture in
            let (chunks, feed) = AsyncStream.makeStream(of: Bytes.self, bufferingPolicy: .bufferingOldest(2))
            let request = Request<Bytes>("mirror", method: .post, body: .stream(chunks), serializer: .bytes)
            feed.yield([0])
            let response = try await fixture.client.stream(request)
            #expect(response.head.version == wire.version)
            var count = 0
            for try await chunk in response.body {
                for byte in chunk {
                    #expect(byte == UInt8(truncatingIfNeeded: count))
                    count += 1
                    if count < 1000 { feed.yield([UInt8(truncatingIfNeeded: count)]) } else { feed.finish() }
                }
            }
            #expect(count == 1000)
            #expect(fixture.server.requests.map(\.bodyBytes) == [1000])
            #expect(fixture.server.statistics.connections == 1)
        }
    }

    /// The server sends first, and the client responds to each of its chunks.
    @Test(arguments: Wire.allCases) func theServerMayBegin(wire: Wire) async throws {
        let speak = Stub.streaming(.post, "/speak") { _, body in
            StubResponse(body: .stream { SpokenBody(body, count: 100) })
        }
        try await Fixture.run([speak], over: wire) { fixture in
            let (chunks, feed) = AsyncStream.makeStream(of: Bytes.self, bufferingPolicy: .bufferingOldest(2))
            let request = Request<Bytes>("speak", method: .post, body: .stream(chunks), serializer: .bytes)
            let response = try await fixture.client.stream(request)
            var count = 0
            for try await chunk in response.body {
                count += chunk.count
                feed.yield(chunk)
                if count == 100 { feed.finish() }
            }
            #expect(count == 100)
        }
    }

    /// The server ends its side before the request's body ends. A second call on the connection shows when.
    @Test(arguments: Wire.allCases, [nil, 2] as [Int64?])
    func aResponseMayEndBeforeTheRequest(wire: Wire, length: Int64?) async throws {
        let speak = Stub.streaming(.post, "/speak") { _, body in
            StubResponse(body: .stream { SpokenBody(body, count: 2) })
        }
        try await Fixture.run([speak, Stub(.get, "/next", .text("next"))], over: wire) { fixture in
            let (chunks, feed) = AsyncStream.makeStream(of: Bytes.self, bufferingPolicy: .bufferingOldest(2))
            feed.yield([0])
            let request = Request<Bytes>(
                "speak", method: .post, body: .stream(chunks, length: length), serializer: .bytes)
            let response = try await fixture.client.stream(request)
            _ = try await fixture.client.send(Request<String>("next", serializer: .string))
            if length != nil { feed.yield([1]) }
            feed.finish()
            var text = ""
            for try await chunk in response.body { text += String(decoding: chunk, as: UTF8.self) }
            #expect(text == "AA")
        }
    }

    /// Dropping the response ends the request's body as well: its source is released.
    @Test(arguments: [Wire.plain, .http2]) func leavingTheResponseEndsTheRequest(wire: Wire) async throws {
        try await Fixture.run([.mirror()], over: wire) { fixture in
            let isOver = Locked(false)
            let request = Request<Bytes>(
                "mirror", method: .post, body: .stream(UnendingBody(isOver: isOver)), serializer: .bytes)
            let response = try await fixture.client.stream(request)
            response.body.cancel()
            // No limit here, because the suite has one.
            while !isOver.value || fixture.client.unfinishedCalls > 0, !Task.isCancelled { await Task.yield() }
        }
    }
}

/// One byte, and then nothing until its consumer leaves.
private struct UnendingBody: AsyncSequence, Sendable {
    let isOver: Locked<Bool>

    func makeAsyncIterator() -> AsyncStream<Bytes>.Iterator {
        AsyncStream { feed in
            feed.yield([0])
            feed.onTermination = { [isOver] _ in isOver.change { $0 = true } }
        }.makeAsyncIterator()
    }
}

/// The messages of a server that responds to each received chunk with another, up to a total.
private struct SpokenBody: AsyncSequence, Sendable {
    private let body: StubBodyReader
    private let count: Int

    init(_ body: StubBodyReader, count: Int) { (self.body, self.count) = (body, count) }

    func makeAsyncIterator() -> Iterator { Iterator(heard: body.makeAsyncIterator(), count: count) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var heard: StubBodyReader.AsyncIterator
        private let count: Int
        private var said = 0

        fileprivate init(heard: StubBodyReader.AsyncIterator, count: Int) { (self.heard, self.count) = (heard, count) }

        mutating func next() async throws -> Bytes? {
            if said == count { return nil }
            if said > 0, try await heard.next() == nil { return nil }
            said += 1
            return Bytes("A".utf8)
        }
    }
}
#endif
