import Foundation
import NetCore
import Testing

@testable import NetSocketCore

/// Random walks through the whole alphabet of events, in which the rules of the session must hold.
///
/// `NET_SESSION_SEED=7` repeats only the walk with that seed.
struct SessionWalkTests {
    private static let environment = ProcessInfo.processInfo.environment

    private static func walk(_ seed: UInt64, count: Int = 200) -> SessionWalk {
        let all = SessionFeatures.allCases
        let features = all[Int(seed % UInt64(all.count))]
        var settings = features.settings
        settings.policy.maximumAttempts = seed % 3 == 0 ? 2 : nil
        // Half of the walks use all events, including those that should have no effect on their sessions.
        let alphabet = seed % 2 == 0 ? features.alphabet : SessionStep.whole
        return SessionWalk(seed: seed, count: count, through: alphabet, from: SessionWorld(settings))
    }

    /// Returns the first walk that violates a rule, and the rule.
    private static func fault(in seeds: StrideTo<UInt64>) -> String? {
        for seed in seeds {
            let walk = walk(seed)
            if !walk.world.faults.isEmpty {
                return "seed \(seed): \(walk.steps.suffix(30)) leads to \(walk.world.faults)"
            }
        }
        return nil
    }

    @Test func everyTicketIsSettledOnceWhateverHappens() async {
        let count: UInt64 = Self.environment["NET_SOAK"] == "1" ? 100_000 : 500
        if let only = Self.environment["NET_SESSION_SEED"].flatMap({ UInt64($0) }) {
            let fault = Self.fault(in: stride(from: only, to: only + 1, by: 1))
            #expect(fault == nil)
            return
        }
        let start = ContinuousClock.now
        // Each core runs a share of the walks.
        let cores = UInt64(max(1, ProcessInfo.processInfo.activeProcessorCount))
        let faults = await withTaskGroup(of: String?.self) { group in
            for core in 0..<cores { group.addTask { Self.fault(in: stride(from: core, to: count, by: Int(cores))) } }
            var faults: [String] = []
            for await fault in group { if let fault { faults.append(fault) } }
            return faults
        }
        #expect(faults == [])
        if count > 500 { print("soak: \(count) walks of 200 events in \(start.duration(to: .now))") }
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
