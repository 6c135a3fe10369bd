#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Synchronization
import TestSupport
import Testing

/// Chunks of the pattern, generated on request; counts them.
private struct PatternChunks: AsyncSequence, Sendable {
    let total: Int
    let size: Int
    let made: Locked<Int>

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: PatternChunks
        var offset = 0

        mutating func next() async throws -> Bytes? {
            guard offset < chunks.total else { return nil }
            let count = Swift.min(chunks.size, chunks.total - offset)
            defer { offset += count }
            chunks.made.change { $0 += count }
            return BytePattern.bytes(from: Int64(offset), count: count)
        }
    }
}

private struct Broken: Error {}

@Suite(.timeLimit(.minutes(2))) struct UploadTests {
    @Test(arguments: Wire.allCases, [true, false])
    func aStreamedBodyArrivesWhole(wire: Wire, isLengthKnown: Bool) async throws {
        let size = 3_000_001
        try await Fixture.run([.mirror()], over: wire) { fixture in
            let chunks = PatternChunks(total: size, size: 70_001, made: Locked(0))
            let body = RequestBody.stream(chunks, length: isLengthKnown ? Int64(size) : nil)
            let back = try await fixture.client.send(
                Request<Bytes>("mirror", method: .post, body: body, serializer: .bytes))
            #expect(back.count == size)
            #expect(BytePattern.matches(back, at: 0))
            let seen = try #require(fixture.server.requests.last)
            #expect(seen.headers[.contentLength] == (isLengthKnown ? "\(size)" : nil))
        }
    }

    /// Otherwise the second request would be sent with an empty body, unnoticed.
    @Test func aSequenceThatCanBeReadOnceGoesOutOnce() async throws {
        let bytes = AsyncStream {
            $0.yield(Bytes("once".utf8))
            $0.finish()
        }
        let bodies = [
            RequestBody.stream(bytes), .multipart([.stream("part", PatternChunks(total: 9, size: 4, made: Locked(0)))]),
        ]
        try await Fixture.run([.mirror()]) { fixture in
            for body in bodies {
                let request = Request<Bytes>("mirror", method: .post, body: body, serializer: .bytes)
                let back = try await fixture.client.send(request)
                #expect(!back.isEmpty)
                let error = try await failure { try await fixture.client.send(request) }
                #expect(error.code == .encoding, "\(error)")
                #expect(error.message.contains("isReplayable"), "\(error)")
            }
        }
    }

    @Test(arguments: Wire.allCases) func aSlowServerHoldsTheProducerBack(wire: Wire) async throws {
        let gate = Locked(false)
        let slow = Stub.streaming(.post, "/slow") { _, body in
            var iterator = body.makeAsyncIterator()
            _ = try await iterator.next()
            while !gate.value { try await Task.sleep(for: .milliseconds(5)) }
            while try await iterator.next() != nil {}
            return .text("done")
        }
        let size = 256 << 20
        try await Fixture.run([slow], over: wire) { fixture in
            let chunk = BytePattern.bytes(from: 0, count: 128 << 10)
            let made = Locked(0)
            let chunks = AsyncStream<Bytes>(unfolding: {
                guard made.value < size else { return nil }
                made.change { $0 += chunk.count }
                return chunk
            })
            async let answer = fixture.client.send(
                Request<String>("slow", method: .post, body: .stream(chunks), serializer: .string))
            // Waits until the producer has made no progress for a while: then the peer is holding it back.
            var last = -1
            while made.value != last || last == 0 {
                last = made.value
                try await Task.sleep(for: .milliseconds(400))
            }
            #expect(made.value < 32 << 20, "made \(made.value >> 20) MB ahead of a server that does not read")
            gate.change { $0 = true }
            #expect(try await answer == "done")
            #expect(made.value == size)
        }
    }

    @Test func aBodyOfAnotherLengthThanDeclaredIsAnError() async throws {
        try await Fixture.run([.mirror()]) { fixture in
            for declared in [99, 101] as [Int64] {
                let chunks = PatternChunks(total: 100, size: 30, made: Locked(0))
                let error = try await failure {
                    try await fixture.client.send(
                        Request<Bytes>(
                            "mirror", method: .put, body: .stream(chunks, length: declared), serializer: .bytes))
                }
                #expect(error.code == .encoding)
                #expect(error.phase == .sending)
                #expect(error.message.contains("declared \(declared) bytes"))
            }
            #expect(fixture.transport.statistics.liveTransfers == 0)
        }
    }

    @Test func bytesBeyondTheDeclaredLengthFailACompleteRequest() async throws {
        let made = Locked(0)
        let late = Stub.streaming(.put, "/late") { _, body in
            for try await _ in body {}
            while made.value < 100 { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: .milliseconds(500))
            return .text("done")
        }
        try await Fixture.run([late]) { fixture in
            let body = RequestBody.stream(PatternChunks(total: 100, size: 33, made: made), length: 99)
            let error = try await failure {
                try await fixture.client.send(Request<Bytes>("late", method: .put, body: body, serializer: .bytes))
            }
            #expect(error.code == .encoding)
            #expect(error.phase == .sending)
            #expect(error.message.contains("is longer than its declared 99 bytes"), "\(error)")
        }
    }

    @Test func anErrorOfTheSequenceEndsTheCall() async throws {
        try await Fixture.run([.mirror()]) { fixture in
            let chunks = AsyncThrowingStream<Bytes, any Error> { continuation in
                continuation.yield(Bytes("first".utf8))
                continuation.finish(throwing: Broken())
            }
            let error = try await failure {
                try await fixture.client.send(
                    Request<Bytes>("mirror", method: .post, body: .stream(chunks), serializer: .bytes))
            }
            #expect(error.code == .encoding)
            #expect(error.underlying is Broken)
        }
    }

    @Test func cancellingAnUploadStopsItsProducer() async throws {
        try await Fixture.run([.mirror()]) { fixture in
            let started = Locked(false)
            let chunks = AsyncStream<Bytes>(unfolding: {
                started.change { $0 = true }
                try? await Task.sleep(for: .seconds(60))
                return Task.isCancelled ? nil : Bytes("late".utf8)
            })
            let task = Task {
                try await fixture.client.send(
                    Request<Bytes>("mirror", method: .post, body: .stream(chunks), serializer: .bytes))
            }
            while !started.value, !Task.isCancelled { await Task.yield() }
            task.cancel()
            let error = await #expect(throws: APIError<Never>.self) { try await task.value }
            #expect(error?.netError?.isCancellation == true)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }
}
#endif
