import Foundation
import NetCore
import Testing

@testable import NetSocketCore

/// Random walks through the whole alphabet of events, which keep the rules of the session.
///
/// `NET_SESSION_SEED=7` repeats the walk of that number alone.
struct SessionWalkTests {
    private static let environment = ProcessInfo.processInfo.environment

    private static func world(_ seed: UInt64) -> SessionWorld {
        let features = seed % 2 == 0 ? SessionExplorationTests.everything : SessionExplorationTests.plain
        var settings = SessionExplorationTests.world(features).machine.settings
        settings.policy.maximumAttempts = seed % 3 == 0 ? 2 : nil
        return SessionWorld(settings)
    }

    private static func walk(_ seed: UInt64, count: Int = 200) -> SessionWalk {
        SessionWalk(seed: seed, count: count, from: world(seed))
    }

    @Test func everyTicketIsSettledOnceWhateverHappens() {
        let count: UInt64 = Self.environment["NET_SOAK"] == "1" ? 100_000 : 500
        let only = Self.environment["NET_SESSION_SEED"].flatMap { UInt64($0) }
        let time = ContinuousClock().measure {
            for seed in only.map({ $0..<$0 + 1 }) ?? 0..<count {
                let walk = Self.walk(seed)
                guard !walk.world.faults.isEmpty else { continue }
                Issue.record("seed \(seed): \(walk.steps.suffix(30)) leads to \(walk.world.faults)")
                break
            }
        }
        if count > 500 { print("soak: \(count) walks of 200 events in \(time)") }
    }

    @Test func aRecordedListOfEventsLeadsToTheSameStates() {
        for seed in 0..<50 as Range<UInt64> {
            let walk = Self.walk(seed)
            let difference = walk.replay()
            #expect(difference == nil, "seed \(seed)")
            if difference != nil { break }
        }
    }
}
