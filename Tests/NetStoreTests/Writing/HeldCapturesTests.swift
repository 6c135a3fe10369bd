import NetCore
import Testing

@testable import NetStore

/// The captures that wait for the end of their call, and the contribution of a batch to the roll-ups.
@Suite struct HeldCapturesTests {
    private static let troubles = ActivityStore.Capture.Rule.troubles(slowerThan: .seconds(2), andOneIn: 4)

    private func capture(_ number: Int, bytes: Int = 0) -> PendingCapture {
        PendingCapture(Events.id(number), number: 1, bytes: bytes) { CaptureContent() }
    }

    private func ended(
        _ number: Int = 1, _ outcome: StoredItem.Outcome = .failed, _ kind: StoredItem.Kind = .call
    ) -> ItemDraft {
        let draft = ItemDraft(ItemKey(Events.id(number), kind), startedAt: 0)
        draft.outcome = outcome
        return draft
    }

    @Test func aCaptureWaitsOnlyUnderARuleAndWhileItsCallRuns() {
        var all = HeldCaptures(.all)
        #expect(all.hold(capture(1), isUnderWay: true) == false)
        var some = HeldCaptures(Self.troubles)
        #expect(some.hold(capture(1), isUnderWay: false) == false)
        #expect(some.hold(capture(1), isUnderWay: true) == true)
        #expect(some.hold(capture(1), isUnderWay: true) == true)
        #expect(some.hold(capture(2), isUnderWay: true) == true)
        #expect(some.ended(ended(1, .failed, .socket)).count == 0, "a WebSocket has the ID of its call")
        #expect(some.ended(ended(1)).count == 2)
        #expect(some.ended(ended(1)).count == 0)
        #expect(some.ended(ended(2, .cutOff)).count == 1)
    }

    @Test func noMoreIsHeldThanTheLimit() {
        var held = HeldCaptures(Self.troubles)
        let half = HeldCaptures.maximumBytes / 2 - 256
        #expect(HeldCaptures.maximumBytes == 16 << 20)
        #expect(held.hold(capture(1, bytes: half), isUnderWay: true) == true)
        #expect(held.hold(capture(2, bytes: half + 1), isUnderWay: true) == false)
        #expect(held.hold(capture(2, bytes: half), isUnderWay: true) == true, "the limit itself is held")
        #expect(held.hold(capture(3), isUnderWay: true) == false)
        _ = held.ended(ended(1))
        #expect(held.hold(capture(3, bytes: half), isUnderWay: true) == true, "an end makes room")
        #expect(held.hold(capture(4), isUnderWay: true) == false)
        held.removeAll()
        #expect(held.ended(ended(2)).count == 0)
        #expect(held.hold(capture(4, bytes: half * 2), isUnderWay: true) == true)
    }

    @Test func aRuleKeepsTroublesSlowCallsAndAShare() {
        func keeps(
            _ rule: ActivityStore.Capture.Rule, _ outcome: StoredItem.Outcome?, _ duration: Int64?, low: UInt64 = 1
        ) -> Bool {
            let draft = ItemDraft(ItemKey(CallID(high: 1, low: low), .call), startedAt: 0)
            (draft.outcome, draft.duration) = (outcome, duration)
            return rule.keeps(draft)
        }
        let rule = Self.troubles
        #expect(keeps(.all, .completed, 0))
        #expect(keeps(rule, .failed, 0))
        #expect(keeps(rule, .rejected, nil))
        #expect(keeps(rule, nil, 0))
        #expect(keeps(rule, .cutOff, 0))
        #expect(!keeps(rule, .completed, 1_999_999))
        #expect(keeps(rule, .completed, 2_000_000))
        #expect(!keeps(rule, .completed, nil))
        #expect(keeps(rule, .completed, 2_000_001))
        #expect(keeps(rule, .completed, 0, low: 8))
        #expect(!keeps(rule, .completed, 0, low: 6))
        #expect(keeps(.troubles(slowerThan: .seconds(1), andOneIn: 1), .completed, 0))
        #expect(!keeps(.troubles(slowerThan: .seconds(1), andOneIn: 0), .completed, 0, low: 0))
        #expect(!keeps(.troubles(slowerThan: .seconds(1), andOneIn: -1), .completed, 0, low: 0))
        #expect(keeps(.troubles(slowerThan: .zero, andOneIn: 0), .completed, nil))
        #expect(!keeps(.troubles(slowerThan: .microseconds(1), andOneIn: 0), .completed, nil))
    }

    @Test func aCallIsAddedToTheTotalsOfItsHour() throws {
        var totals = HourTotals()
        func add(_ change: (ItemDraft) -> Void, operation: Int64? = 3, host: Int64? = 4) {
            let draft = ItemDraft(ItemKey(Events.id(1), .call), startedAt: HourTotals.length * 5 + 1)
            (draft.outcome, draft.duration) = (.completed, 1)
            change(draft)
            totals.add(draft, operation: operation, host: host)
        }
        add { _ in }
        add {
            ($0.outcome, $0.retries, $0.isReused, $0.attemptCount) = (.rejected, 2, true, 3)
            ($0.requestBytes, $0.responseBytes) = (10, 20)
        }
        add { ($0.outcome, $0.isReused, $0.attemptCount, $0.responseBytes) = (.failed, false, 1, 5) }
        add { ($0.outcome, $0.retries) = (.cancelled, 1) }
        add { $0.outcome = .cutOff }
        let key = HourTotals.Key(hour: 5, operation: 3, host: 4, bucket: 0)
        let total = try #require(totals.totals[key])
        #expect(totals.totals.count == 1)
        #expect(total.calls == 5)
        #expect(total.completed == 1)
        #expect(total.rejected == 1)
        #expect(total.failed == 1)
        #expect(total.cancelled == 1)
        #expect(total.retried == 2)
        #expect(total.reused == 1)
        #expect(total.attempts == 4)
        #expect(total.requestBytes == 10)
        #expect(total.responseBytes == 25)
        add({ $0.startedAt = HourTotals.length * 6 }, operation: nil, host: nil)
        add({ $0.startedAt = HourTotals.length * 6 - 1 })
        add({ $0.duration = nil })
        add({ $0.duration = 1000 })
        let hours = Set(totals.totals.keys)
        #expect(hours.count == 3)
        #expect(hours.contains(HourTotals.Key(hour: 6, operation: 0, host: 0, bucket: 0)))
        #expect(hours.contains(HourTotals.Key(hour: 5, operation: 3, host: 4, bucket: DurationBucket.number(of: 1000))))
        #expect(totals.totals[key]?.calls == 7)
    }

    @Test func eachSumOfAnHourHasItsColumnAndIsAdded() throws {
        let folder = try TemporaryFolder()
        let connection = try SQLiteConnection(withTablesAt: folder.file())
        let statement = try HourStatement(on: connection)
        let draft = ItemDraft(ItemKey(Events.id(1), .call), startedAt: HourTotals.length * 5)
        (draft.outcome, draft.retries, draft.isReused, draft.attemptCount) = (.rejected, 1, true, 3)
        (draft.requestBytes, draft.responseBytes) = (10, 20)
        var totals = HourTotals()
        for outcome in [StoredItem.Outcome.completed, .rejected, .failed, .failed, .cancelled] {
            draft.outcome = outcome
            totals.add(draft, operation: 6, host: 7)
        }
        let columns = try connection.texts("SELECT name FROM pragma_table_info('net_hour')").compactMap { $0 }
        for times in 1...2 {
            try statement.add(totals, run: 8)
            let sums = [5, 1, 1, 2, 1, 5, 5, 15, 50, 100].map { String($0 * times) }
            let row = try connection.stored("net_hour", columns)
            #expect(row == [Dictionary(uniqueKeysWithValues: zip(columns, ["5", "6", "7", "8", "0"] + sums))])
        }
        try statement.add(totals, run: 9)
        #expect(try connection.texts("SELECT run || ' ' || calls FROM net_hour ORDER BY run") == ["8 10", "9 5"])
    }
}
