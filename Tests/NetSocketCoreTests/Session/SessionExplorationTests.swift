import Foundation
import NetCore
import Testing

@testable import NetSocketCore

/// All states within a few events: each state of the session machine is visited once, and the rules of `SessionWorld`
/// hold in it.
///
/// `NET_SESSION_DEPTH=5` sets the number of consecutive events.
struct SessionExplorationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isLong = environment["NET_SOAK"] == "1"

    @Test(arguments: SessionFeatures.allCases, SessionFeatures.Start.allCases)
    func everyStateKeepsTheRules(features: SessionFeatures, start: SessionFeatures.Start) {
        let depth =
            Self.environment["NET_SESSION_DEPTH"].flatMap { Int($0) } ?? (Self.isLong ? features.depth(from: start) : 3)
        var world = SessionWorld(features.settings)
        for step in features.steps(to: start) {
            let isPossible = world.perform(step)
            #expect(isPossible, "\(step)")
        }
        #expect(world.faults == [])
        var explorer = SessionExplorer(features.alphabet)
        let time = ContinuousClock().measure { explorer.explore(from: world, depth: depth) }
        #expect(explorer.fault == nil)
        #expect(explorer.counts.count == depth + 1)
        if Self.isLong {
            print(
                "soak: \(features) from \(start): states at each depth \(explorer.counts), \(explorer.transitions) steps in \(time)"
            )
        }
    }
}
