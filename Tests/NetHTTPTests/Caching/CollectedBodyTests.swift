import NetCore
import Testing

@testable import NetHTTP

@Suite struct CollectedBodyTests {
    private func body(_ texts: [String]) -> ResponseBody {
        ResponseBody(
            AsyncStream { continuation in
                for text in texts { continuation.yield(Bytes(text.utf8)) }
                continuation.finish()
            })
    }

    @Test(arguments: [
        (["abc", "def"], 6, true), (["abc", "def"], 7, true), (["abc", "def"], 5, false), (["abc", "def"], 2, false),
        (["abc", "def", "ghi"], 5, false), ([], 0, true), (["a"], 0, false), (["abc", "def"], .max, true),
    ]) func aBodyIsCollectedUpToItsLimitAndNoByteIsLost(texts: [String], limit: Int, isWhole: Bool) async throws {
        let collected = try await body(texts).collected(upTo: limit)
        #expect(collected.isWhole == isWhole)
        #expect((collected.body.whole != nil) == isWhole)
        var iterator = collected.body.makeAsyncIterator()
        var all = ""
        while let chunk = try await iterator.next() { all += String(decoding: chunk, as: UTF8.self) }
        #expect(all == texts.joined())
    }

    @Test func noMoreIsReadThanTellsThatItIsTooLong() async throws {
        let read = Counter()
        let body = ResponseBody(
            AsyncStream {
                await read.next() < 100 ? Bytes("0123456789".utf8) : nil
            })
        let collected = try await body.collected(upTo: 35)
        #expect(!collected.isWhole)
        #expect(await read.count == 4)
    }

    private actor Counter {
        private(set) var count = 0

        func next() -> Int {
            count += 1
            return count
        }
    }
}
