#if Tools
import Foundation
import NetCore
import NetTesting
import Testing

@testable import NetStore
@testable import net_activity

/// The statistical tests behind `net-activity diff`, compared with published values and by simulation.
struct StatisticsTests {
    @Test(
        arguments: [
            // scipy.stats.mannwhitneyu(a, b, method="asymptotic")
            ([1.0, 2, 3, 4, 5, 6, 7, 8], [9.0, 10, 11, 12, 13, 14, 15, 16], 0.0009391056),
            ([1.1, 2.2, 3.3, 4.4, 5.5], [2.0, 4, 6, 8, 10], 0.2100750),
            ([1.0, 1, 2, 2, 3], [2.0, 3, 3, 4, 4], 0.0524116),
            ([5.0, 5, 5], [5.0, 5, 5], 1),
        ] as [([Double], [Double], Double)]) func `ranks are tested as SciPy tests them`(
            first: [Double], second: [Double], expected: Double
        )
    {
        let found = RankTest.probability(first, second)
        #expect(abs(found - expected) < 1e-6, "\(found)")
        #expect(abs(RankTest.probability(second, first) - found) < 1e-9)
    }

    @Test(
        arguments: [
            // The lady tasting tea, and others, computed by scipy.stats.fisher_exact.
            (3, 4, 1, 4, 0.4857143), (1, 9, 11, 15, 0.0094225), (0, 50, 10, 50, 0.0011868), (5, 10, 5, 10, 1),
        ] as [(Int, Int, Int, Int, Double)]) func `shares are tested exactly`(
            part: Int, whole: Int, otherPart: Int, otherWhole: Int, expected: Double
        )
    {
        let found = ShareTest(maximum: 100).probability((part, whole), (otherPart, otherWhole))
        #expect(abs(found - expected) < 1e-6, "\(found)")
    }

    /// Returns calls whose durations have a long tail, like those of real servers.
    private func calls(
        _ random: SeededRandom, _ count: Int, path: String, slower: Double = 1, bad: UInt64 = 5
    ) -> [StoredItem] {
        var item = StoredItem(
            id: 0, uid: CallID(high: 1, low: 1), kind: .call, startedAt: Date(timeIntervalSince1970: 0))
        (item.method, item.host, item.url) = ("GET", "example.com", "https://example.com/\(path)")
        return (0..<count).map { _ in
            let bits = random.next()
            let share = Double(bits >> 32) / 0x1p32
            item.duration = .nanoseconds(Int64(1e7 * slower / (1.05 - share)))
            item.responseBytes = Int64(1000 + bits % 500)
            item.isReused = bits >> 10 % 10 > 0
            item.outcome = bits >> 20 % 100 < bad ? .failed : .completed
            return item
        }
    }

    private func differences(_ before: [StoredItem], _ after: [StoredItem]) -> [EndpointDifference] {
        var comparison = GroupComparison()
        for item in before { comparison.add(item, isAfter: false) }
        for item in after { comparison.add(item, isAfter: true) }
        return comparison.differences()
    }

    @Test func `of a thousand pairs of equal runs less than one in a hundred shows anything`() {
        var alarms = 0
        for seed in 0..<1000 {
            var comparison = GroupComparison()
            let items = calls(SeededRandom(seed: UInt64(seed)), 48, path: "a")
            let endpoint = Endpoint(items[0])
            for (index, item) in items.enumerated() { comparison.add(item, of: endpoint, isAfter: index % 2 > 0) }
            if !comparison.differences().isEmpty { alarms += 1 }
        }
        #expect(alarms < 10, "\(alarms)")
    }

    @Test func `slower, broken, new and missing operations are found, the worst first`() {
        let random = SeededRandom(seed: 7)
        let before =
            calls(random, 60, path: "slow") + calls(random, 60, path: "broken") + calls(random, 5, path: "old")
            + calls(random, 60, path: "same")
        let after =
            calls(random, 60, path: "slow", slower: 3) + calls(random, 60, path: "broken", bad: 60)
            + calls(random, 5, path: "young") + calls(random, 60, path: "same")
        let found = differences(before, after)
        #expect(found.map(\.change) == [.broke, .slower, .gone, .new], "\(found)")
        #expect(
            found.map(\.endpoint.name) == [
                "GET example.com/broken", "GET example.com/slow", "GET example.com/old", "GET example.com/young",
            ], "\(found)")
        #expect(differences(after, before).map(\.change) == [.gone, .new, .fixed, .faster])
    }

    @Test func `endpoints of different hosts are compared if that is wanted`() throws {
        let before = calls(SeededRandom(seed: 1), 10, path: "a", bad: 0)
        var comparison = GroupComparison()
        comparison.isOfAnyHost = true
        for item in before {
            comparison.add(item, isAfter: false)
            var other = item
            (other.host, other.url, other.duration) = ("test:8080", "http://test:8080/a", .seconds(9))
            comparison.add(other, isAfter: true)
        }
        let found = comparison.differences()
        #expect(found.map(\.change) == [.slower], "\(found)")
        #expect(found.first?.endpoint.name == "GET /a", "\(found)")
        let filter = try #require(found.first?.endpoint.filter)
        #expect(before.allSatisfy { filter.matches($0, content: nil, now: Date()) }, "\(filter)")
    }

    @Test func `figures beyond all bounds are compared, too`() {
        var (small, large) = (calls(SeededRandom(seed: 1), 10, path: "a", bad: 0), [StoredItem]())
        for index in small.indices {
            large.append(small[index])
            (large[index].responseBytes, large[index].duration) = (.max, .nanoseconds(Int64.max))
            (small[index].responseBytes, small[index].duration) = (.min, .nanoseconds(Int64.min))
        }
        #expect(differences(small, large).map(\.change) == [.slower, .larger])
    }

    @Test func `a change too small to matter isn't told`() {
        let random = SeededRandom(seed: 7)
        let before = calls(random, 2000, path: "a", bad: 0)
        var after = before
        for index in after.indices {
            after[index].duration = before[index].duration.map { $0 * 1.05 }
            after[index].responseBytes = before[index].responseBytes.map { $0 + 90 }
        }
        #expect(differences(before, after).isEmpty)
    }
}
#endif
