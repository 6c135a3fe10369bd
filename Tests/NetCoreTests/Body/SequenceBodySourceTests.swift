import NetTesting
import Synchronization
import TestSupport
import Testing

@testable import NetCore

private struct Broken: Error {}

@Suite(.timeLimit(.minutes(1))) struct SequenceBodySourceTests {
    private func readAll(_ source: any BodySource) async throws(NetError) -> [String] {
        var texts: [String] = []
        while let chunk = try await source.next() { texts.append(String(decoding: chunk, as: UTF8.self)) }
        return texts
    }

    @Test func chunksComeInOrderAndEmptyOnesAreLeftOut() async throws {
        let feed = ChunkFeed(["a", "", "bc", "d", ""])
        let source = SequenceBodySource(feed)
        #expect(try await readAll(source) == ["a", "bc", "d"])
        #expect(try await source.next() == nil)
        #expect(feed.log.iterators == 1)
    }

    @Test func nothingIsPulledBeforeItIsAskedFor() async throws {
        let feed = ChunkFeed(["a", "b", "c"])
        let source = SequenceBodySource(feed)
        for _ in 0..<200 { await Task.yield() }
        #expect(feed.log.asked == 0)
        _ = try await source.next()
        for _ in 0..<200 { await Task.yield() }
        #expect(feed.log.asked == 1)
        _ = try await source.next()
        #expect(feed.log.asked == 2)
    }

    @Test func theSequencesErrorEndsTheBody() async throws {
        let source = SequenceBodySource(ChunkFeed(["a"], end: .fail(Broken())))
        #expect(try await source.next()?.count == 1)
        let error = await #expect(throws: NetError.self) { try await source.next() }
        #expect(error?.code == .encoding)
        #expect(error?.underlying is Broken)
        let body = ResponseBody(ChunkFeed([], end: .fail(Broken())))
        let received = await #expect(throws: NetError.self) { try await body.collect(upTo: 1) }
        #expect(received?.phase == .receiving)
        #expect(received?.code == .unknown)
        let own = NetError(.tls, phase: .securing, message: "m")
        let passed = SequenceBodySource(ChunkFeed([], end: .fail(own)))
        #expect(await #expect(throws: NetError.self) { try await passed.next() }?.code == .tls)
    }

    @Test func aCancelledReaderDoesNotWaitForASilentSequence() async throws {
        let feed = ChunkFeed(["a"], end: .wait)
        let source = SequenceBodySource(feed)
        let task = Task { try await self.readAll(source) }
        #expect(await eventually { feed.log.asked == 2 })
        task.cancel()
        let error = await #expect(throws: NetError.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect(await eventually { feed.log.cancelled == 1 })
    }

    @Test func aTaskThatIsCancelledAlreadyReadsNothing() async throws {
        let source = SequenceBodySource(ChunkFeed(["a"]))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await source.next()
        }
        await #expect(throws: NetError.self) { try await task.value }
    }

    @Test func droppingTheBodyUnreadOrHalfReadEndsTheSequence() async throws {
        let unread = ChunkFeed(["a"], end: .wait)
        do { _ = SequenceBodySource(unread) }
        let half = ChunkFeed(["a"], end: .wait)
        do {
            let source = SequenceBodySource(half)
            _ = try await source.next()
        }
        for _ in 0..<200 { await Task.yield() }
        #expect(unread.log.asked == 0)
        #expect(half.log.asked == 1)
    }

    @Test func cancellingWakesAWaitingReader() async throws {
        let feed = ChunkFeed([], end: .wait)
        let source = SequenceBodySource(feed)
        let task = Task { try await source.next() }
        #expect(await eventually { feed.log.asked == 1 })
        source.cancel()
        source.cancel()
        #expect(await #expect(throws: NetError.self) { try await task.value }?.isCancellation == true)
    }

    @Test func twoReadersShareTheChunksAndBothEnd() async throws {
        for _ in 0..<50 {
            let texts = (0..<20).map { "\($0)" }
            let source = SequenceBodySource(ChunkFeed(texts))
            async let left = readAll(source)
            async let right = readAll(source)
            let both = try await left + right
            #expect(both.sorted() == texts.sorted())
        }
    }
}
