import Foundation
import NetCore
import NetTesting
import Testing

@testable import NetSocketCore

/// All that a few events lead to: each state of the session machine is visited once, and the rules of `SessionWorld` hold in it.
struct SessionExplorationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isLong = environment["NET_SOAK"] == "1"

    static let plain: SocketWire.Features = [.requests, .notifications, .pushes, .channels, .subscriptions]
    static let everything: SocketWire.Features = plain.union([
        .opening, .heartbeats, .cancellation, .confirmedLeaves, .recovery,
    ])

    static func world(_ features: SocketWire.Features) -> SessionWorld {
        var settings = SessionMachine.Settings(features: features)
        settings.policy.maximumAttempts = 2
        settings.maximumQueueCount = 2
        return SessionWorld(settings)
    }

    @Test(arguments: [("plain", plain), ("everything", everything)])
    func everyStateKeepsTheRules(name: String, features: SocketWire.Features) {
        let depth = Self.environment["NET_SESSION_DEPTH"].flatMap { Int($0) } ?? (Self.isLong ? 7 : 4)
        var explorer = SessionExplorer()
        let clock = ContinuousClock()
        let time = clock.measure { explorer.explore(from: Self.world(features), depth: depth) }
        #expect(explorer.fault == nil)
        print("soak: \(name): states at each depth \(explorer.counts), \(explorer.transitions) steps in \(time)")
    }
}
