import HTTPTypes
import NetCore
import Synchronization
import TestSupport
import Testing

private struct Broken: Error {}

/// Records how a body ended.
private final class Ends: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func record(_ end: BodyEnd) {
        let text =
            switch end {
            case .finished(let bytes): "finished \(bytes)"
            case .failed(let error, let bytes): "failed \(error.code) \(bytes)"
            case .cancelled(let bytes): "cancelled \(bytes)"
            }
        texts.withLock { $0.append(text) }
    }
}

@Suite(.timeLimit(.minutes(1))) struct ResponseBodyTests {
    @Test("A body is collected up to its limit", arguments: [0, 3, 4, 5, 100])
    func collecting(limit: Int) async throws {
        for body in [ResponseBody(Bytes("abcde".utf8)), ResponseBody(ChunkFeed(["ab", "c", "de"]))] {
            if limit < 5 {
                let error = await #expect(throws: NetError.self) { try await body.collect(upTo: limit) }
                #expect(error?.code == .bodyTooLarge)
            } else {
                #expect(try await body.collect(upTo: limit) == Bytes("abcde".utf8))
            }
        }
        #expect(try await ResponseBody().collect(upTo: 0).isEmpty)
    }

    @Test func aBodyThatGrowsTooLargeIsNotReadFurther() async throws {
        let feed = ChunkFeed(["ab", "cd", "ef"])
        let body = ResponseBody(feed)
        await #expect(throws: NetError.self) { try await body.collect(upTo: 3) }
        #expect(feed.log.asked == 2)
        #expect(await #expect(throws: NetError.self) { try await body.collect(upTo: 9) }?.isCancellation == true)
    }

    @Test func chunksAreHandedOutOnce() async throws {
        for body in [ResponseBody(Bytes("abc".utf8)), ResponseBody(ChunkFeed(["a", "bc"]))] {
            var text = ""
            for try await chunk in body { text += String(decoding: chunk, as: UTF8.self) }
            #expect(text == "abc")
        }
        let body = ResponseBody(ChunkFeed(["a", "b"]))
        _ = try await body.collect(upTo: 9)
        #expect(try await body.collect(upTo: 9).isEmpty)
        for try await _ in ResponseBody() { Issue.record("an empty body has no chunk") }
    }

    @Test(
        "A prefix ends the transfer where it ends", arguments: [(0, ""), (1, "a"), (2, "ab"), (3, "abc"), (9, "abcd")])
    func prefix(limit: Int, text: String) async {
        #expect(await ResponseBody(Bytes("abcd".utf8)).prefix(upTo: limit) == Bytes(text.utf8))
        #expect(await ResponseBody(ChunkFeed(["ab", "cd"])).prefix(upTo: limit) == Bytes(text.utf8))
        let broken = ResponseBody(ChunkFeed(["ab", "cd"], end: .fail(Broken())))
        #expect(await broken.prefix(upTo: limit) == Bytes(text.utf8))
    }

    @Test func theEndIsToldOnceForAWholeBody() async throws {
        let ends = Ends()
        let body = ResponseBody(Bytes("abc".utf8)).onEnd { ends.record($0) }
        #expect(ends.all == ["finished 3"])
        _ = try await body.collect(upTo: 9)
        body.cancel()
        #expect(ends.all == ["finished 3"])
    }

    @Test func theEndIsToldOnceForAStreamedBody() async throws {
        let ends = Ends()
        do {
            let body = ResponseBody(ChunkFeed(["a", "bc"])).onEnd { ends.record($0) }
            _ = try await body.collect(upTo: 9)
            _ = try await body.collect(upTo: 9)
            body.cancel()
        }
        #expect(ends.all == ["finished 3"])
    }

    @Test func aFailureIsToldOnceAndFilled() async throws {
        let ends = Ends()
        do {
            let body = ResponseBody(ChunkFeed(["ab"], end: .fail(Broken()))).onEnd(
                filling: { NetError(.connectionLost, phase: $0.phase, message: "filled") }, { ends.record($0) })
            let error = await #expect(throws: NetError.self) { try await body.collect(upTo: 9) }
            #expect(error?.message == "filled")
            await #expect(throws: NetError.self) { try await body.collect(upTo: 9) }
        }
        #expect(ends.all == ["failed connectionLost 2"])
    }

    @Test func aBodyDroppedUnreadOrHalfReadIsCancelled() async throws {
        let (unread, half, cancelled) = (Ends(), Ends(), Ends())
        do { _ = ResponseBody(ChunkFeed(["ab"])).onEnd { unread.record($0) } }
        do {
            var iterator = ResponseBody(ChunkFeed(["ab", "c"])).onEnd { half.record($0) }.makeAsyncIterator()
            _ = try await iterator.next()
        }
        do {
            let body = ResponseBody(ChunkFeed(["ab"])).onEnd { cancelled.record($0) }
            body.cancel()
            body.cancel()
        }
        #expect(unread.all == ["cancelled 0"])
        #expect(half.all == ["cancelled 2"])
        #expect(cancelled.all == ["cancelled 0"])
    }

    @Test func aCancelledTaskEndsTheBody() async throws {
        let ends = Ends()
        let feed = ChunkFeed(["ab"], end: .wait)
        let body = ResponseBody(feed).onEnd { ends.record($0) }
        let task = Task { try await body.collect(upTo: 9) }
        #expect(await eventually { feed.log.asked == 2 })
        task.cancel()
        #expect(await #expect(throws: NetError.self) { try await task.value }?.isCancellation == true)
        #expect(ends.all == ["cancelled 2"])
    }

    @Test func hooksStack() async throws {
        let (inner, outer) = (Ends(), Ends())
        let body = ResponseBody(ChunkFeed(["a"])).onEnd { inner.record($0) }.onEnd { outer.record($0) }
        _ = try await body.collect(upTo: 9)
        #expect(inner.all == ["finished 1"])
        #expect(outer.all == ["finished 1"])
    }

    @Test func aWholeBodyHasItsFiguresAndTrailersAtOnce() {
        let body = ResponseBody(Bytes(), metrics: TransferMetrics(total: .seconds(1)), trailers: [.eTag: "x"])
        #expect(body.metrics?.total == .seconds(1))
        #expect(body.trailers?[.eTag] == "x")
        #expect(body.whole?.isEmpty == true)
        #expect(ResponseBody(ChunkFeed([])).metrics == nil)
        #expect(ResponseBody(ChunkFeed([])).trailers == nil)
    }
}
