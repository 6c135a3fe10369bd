import Foundation
import NetCore
import NetSocketCore
import Testing

/// All states that a few steps of both ends and of the network lead to: from each, every sent message arrives once and
/// in order, or is reported as lost.
struct DeliveryExplorationTests {
    private static let isLong = ProcessInfo.processInfo.environment["NET_SOAK"] == "1"

    @Test func everyStateKeepsItsPromise() {
        var (seen, level) = ([DeliveryPair()] as Set, [(DeliveryPair(), [DeliveryPair.Step]())])
        var counts = [1]
        for _ in 1...(Self.isLong ? 16 : 11) {
            var next: [(DeliveryPair, [DeliveryPair.Step])] = []
            for (pair, steps) in level {
                for step in DeliveryPair.Step.allCases {
                    var other = pair
                    guard other.perform(step), seen.insert(other).inserted else { continue }
                    let problems = other.problems()
                    #expect(problems == [], "after \(steps + [step])")
                    if !problems.isEmpty { return }
                    next.append((other, steps + [step]))
                }
            }
            counts.append(next.count)
            level = next
        }
        if Self.isLong { print("soak: states of a delivery at each depth \(counts)") }
        #expect(counts.reduce(0, +) > 1000, "\(counts)")
    }
}
