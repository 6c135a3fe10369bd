import NetCore
import NetTesting
import Testing

@testable import NetHTTP

@Suite struct RangePlanTests {
    private let mebibyte: Int64 = 1 << 20

    private func taken(_ plan: inout RangePlan) throws -> RangePlan.Piece {
        let piece = plan.take()
        return try #require(piece)
    }

    @Test func theSecondHalfOfTheLargestPieceIsTaken() throws {
        var plan = RangePlan(missing: [0..<8 * mebibyte])
        let first = try taken(&plan)
        #expect(first.bytes == 0..<8 * mebibyte)
        let second = try taken(&plan)
        #expect(second.bytes == 4 * mebibyte..<8 * mebibyte)
        #expect(plan.open[first.id]?.bytes == 0..<4 * mebibyte)
        #expect(plan.open[first.id]?.end == 8 * mebibyte)
        _ = plan.bytesCame(Int(3 * mebibyte), in: first.id)
        let third = try taken(&plan)
        #expect(third.bytes == 6 * mebibyte..<8 * mebibyte)
    }

    @Test func aSmallPieceIsNotDivided() {
        var plan = RangePlan(missing: [0..<mebibyte - 1])
        _ = plan.take()
        let second = plan.take()
        #expect(!plan.hasMore)
        #expect(second == nil)
    }

    @Test func anUnknownEndIsNotDivided() throws {
        var plan = RangePlan(missing: [0 ..< .max])
        let piece = try taken(&plan)
        #expect(!plan.hasMore)
        let came = plan.bytesCame(100, in: piece.id)
        #expect(came == (100, 0, false))
        plan.end(piece.id)
        #expect(plan.isComplete)
    }

    @Test func bytesBeyondADividedPieceAreNotAccepted() throws {
        var plan = RangePlan(missing: [0..<2 * mebibyte])
        let first = try taken(&plan)
        _ = plan.take()
        let came = [Int(mebibyte) - 1, 100, 100].map { plan.bytesCame($0, in: first.id) }
        #expect(came[0] == (Int(mebibyte) - 1, 0, false))
        #expect(came[1] == (1, mebibyte - 1, true))
        #expect(came[2] == (0, 0, true))
    }

    @Test func aClosedPieceGoesBackToTheTransferThatWasAskedForItToo() throws {
        var plan = RangePlan(missing: [0..<2 * mebibyte])
        let first = try taken(&plan)
        let second = try taken(&plan)
        plan.close(second.id)
        #expect(plan.waiting.isEmpty)
        #expect(plan.open[first.id]?.bytes == 0..<2 * mebibyte)
        let third = try taken(&plan)
        _ = plan.bytesCame(10, in: third.id)
        plan.close(third.id)
        #expect(plan.waiting == [mebibyte + 10..<2 * mebibyte])
        plan.close(first.id)
        #expect(plan.waiting == [0..<mebibyte, mebibyte + 10..<2 * mebibyte])
    }

    @Test func closedPiecesThatTouchAreOne() throws {
        var plan = RangePlan(missing: [0..<4 * mebibyte])
        let pieces = try (0..<4).map { _ in try taken(&plan) }
        for piece in pieces.reversed() { plan.close(piece.id) }
        #expect(plan.open.isEmpty)
        #expect(plan.waiting == [0..<4 * mebibyte])
        let whole = try taken(&plan)
        #expect(whole.bytes == 0..<4 * mebibyte)
    }

    @Test(arguments: 0..<200) func everyByteIsLoadedOnce(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed)).netRandom
        let missing = [0..<5 * mebibyte, 7 * mebibyte..<16 * mebibyte]
        var plan = RangePlan(missing: missing)
        var loaded = ByteRanges()
        var steps = 0
        while !plan.isComplete, steps < 10_000 {
            steps += 1
            let open = plan.open.keys.sorted()
            let chosen = open.isEmpty ? 0 : open[Int.random(in: 0..<open.count, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<2: _ = plan.take()
            case 2: plan.close(chosen)
            case _ where open.isEmpty: _ = plan.take()
            default:
                let came = plan.bytesCame(Int.random(in: 1...300_000, using: &random), in: chosen)
                let before = loaded.count
                loaded.insert(came.start..<came.start + Int64(came.accepted))
                #expect(loaded.count == before + Int64(came.accepted))
            }
        }
        #expect(loaded == ByteRanges(missing))
    }
}

@Suite struct RangeGrowthTests {
    /// Simulates a download over ranges that are each limited, as is their sum. Returns the numbers of ranges, as they
    /// change.
    private func numbers(
        maximum: Int, each: Double, all: Double, seconds: Double = 60, burst: Double = 0
    ) -> [Int] {
        var growth = RangeGrowth(maximum: maximum, now: .zero)
        var (now, count) = (0.0, 1)
        var (numbers, opened) = ([1], [0.0])
        while now < seconds {
            now += 0.05
            var bytes = 0.0
            for start in opened.suffix(count) { bytes += each * 0.05 + (now - start < 0.06 ? burst : 0) }
            bytes = min(bytes, all * 0.05)
            switch growth.bytesCame(Int(bytes), isStable: true, now: .seconds(now)) {
            case .add:
                count += 1
                opened.append(now)
            case .leaveOut: count -= 1
            case nil: continue
            }
            numbers.append(count)
        }
        #expect(growth.count == count)
        return numbers
    }

    @Test func rangesThatEachGainStay() {
        let numbers = numbers(maximum: 8, each: 4e6, all: 1e9)
        // The eighth is dropped once, to measure its benefit.
        #expect(numbers == [1, 2, 3, 4, 5, 6, 7, 8, 7, 8])
    }

    @Test func burstsAtTheBeginningOfEachRangeDeceiveNobody() {
        #expect(numbers(maximum: 4, each: 4e6, all: 1e9, burst: 4e6) == [1, 2, 3, 4, 3, 4])
    }

    @Test func rangesThatGainNothingEnd() {
        #expect(numbers(maximum: 4, each: 4e6, all: 4e6).last == 1)
    }

    @Test func theLastRangeThatGainsATenthStays() {
        #expect(numbers(maximum: 8, each: 4e6, all: 12e6).last == 3)
    }

    @Test func oneRangeIsNeverMadeMore() {
        #expect(numbers(maximum: 1, each: 4e6, all: 1e9) == [1])
        var growth = RangeGrowth(maximum: 8, now: .zero)
        let first = growth.bytesCame(1, isStable: true, now: .seconds(1))
        growth.failed()
        let later = growth.bytesCame(1, isStable: true, now: .seconds(9))
        #expect(first == .add)
        #expect(growth.count == 1)
        #expect(later == nil)
    }

    @Test func nothingIsMeasuredWhileTheNumberChanges() {
        var growth = RangeGrowth(maximum: 8, now: .zero)
        let action = growth.bytesCame(1, isStable: false, now: .seconds(1))
        #expect(action == nil)
        #expect(growth.count == 1)
    }
}
