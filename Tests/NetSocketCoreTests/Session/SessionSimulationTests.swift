import NetCore
import Testing

@testable import NetSocketCore

/// Half an hour of a session in virtual time.
struct SessionSimulationTests {
    @Test(arguments: [UInt64(1), 2])
    func halfAnHourOfReconnectsLeavesNothingBehind(seed: UInt64) {
        let features = SessionFeatures.wholeWire
        var simulation = SessionSimulation(seed: seed, features: features)
        simulation.run(for: .seconds(1800))
        #expect(simulation.world.faults == [])
        #expect(simulation.world.waiting.isEmpty)
        #expect(simulation.world.timers.isEmpty)
        #expect(simulation.outcomes.values.allSatisfy { $0 == 1 })
        #expect(simulation.outcomes.count >= simulation.summary.commands)
        let summary = simulation.summary
        #expect(summary.opened > 30, "\(summary)")
        #expect(summary.attempts > summary.opened, "\(summary)")
        #expect(summary.renewals >= 5, "\(summary)")
        #expect(summary.silences >= 3, "\(summary)")
        #expect(summary.heartbeats > 10, "\(summary)")
        #expect(summary.pauses > 8, "\(summary)")
        #expect(summary.commands > 4000, "\(summary)")
        #expect(summary.replies > 2000, "\(summary)")
        // The number of waiting entries is bounded by their maximum waiting time.
        #expect(summary.mostWaiting < 150, "\(summary)")
        #expect(summary.mostTimers < 150, "\(summary)")
    }

    @Test func theSameSeedLeadsToTheSameMinutes() {
        let summaries = (0..<2).map { _ in
            var simulation = SessionSimulation(seed: 4, features: SessionFeatures.plainWire)
            simulation.run(for: .seconds(300))
            return simulation.summary
        }
        #expect(summaries[0] == summaries[1])
        #expect(summaries[0].commands > 500)
    }
}
