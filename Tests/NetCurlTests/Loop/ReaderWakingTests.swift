#if os(Linux)
import Testing

@testable import NetCurl

/// A consumer is woken immediately after a silence, and rarely while many bytes arrive.
struct ReaderWakingTests {
    private let start: UInt64 = 5_000_000_000

    /// Returns the decisions for (time, bytes received), one after another.
    private func decisions(_ steps: [(UInt64, Int64)], isPaused: Bool = false) -> [Bool] {
        var waking = ReaderWaking()
        return steps.map { waking.isDue(now: start + $0.0, received: $0.1, isPaused: isPaused) }
    }

    @Test func theFirstBytesWakeTheReader() {
        #expect(decisions([(0, 1)]) == [true])
    }

    @Test func aFewMoreBytesWaitForTheEndOfTheInterval() {
        let end = ReaderWaking.interval
        #expect(decisions([(0, 1), (end - 1, 2), (end, 2), (end + 1, 3)]) == [true, false, true, false])
    }

    @Test func theLoopIsToldWhenThatIs() {
        var waking = ReaderWaking()
        _ = waking.isDue(now: start, received: 1, isPaused: false)
        #expect(waking.next == start + ReaderWaking.interval)
    }

    @Test func manyBytesDoNotWait() {
        let much = ReaderWaking.much
        #expect(decisions([(0, 1), (1, much), (2, much + 1), (3, much + 2)]) == [true, false, true, false])
    }

    @Test func aPausedTransferDoesNotWait() {
        #expect(decisions([(0, 1), (1, 2)], isPaused: true) == [true, true])
    }
}
#endif
