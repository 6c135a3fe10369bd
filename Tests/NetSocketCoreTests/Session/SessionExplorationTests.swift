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

    /// Where explorations begin: what needs many steps of its own is reached from a state in which much is under way.
    enum Start: CaseIterable {
        case idle, open, joined, leaving, lost

        var steps: [SessionStep] {
            let open: [SessionStep] = [.start, .connected, .openPayload(isMade: true), .opened(namesLimit: false)]
            let joined = open + [.join("a"), .joinPayload("a", isMade: true), .joined("a", .positioned)]
            return switch self {
            case .idle: []
            case .open: open
            case .joined: joined
            case .leaving: joined + [.request(.resend, topic: "a", wantsReply: true), .leave("a")]
            case .lost: joined + [.subscribe, .request(.resend, topic: "a", wantsReply: true), .ended(.retryable)]
            }
        }
    }

    @Test(arguments: ["plain", "everything"], Start.allCases)
    func everyStateKeepsTheRules(features: String, start: Start) {
        let long = start == .idle ? 8 : 7
        let depth = Self.environment["NET_SESSION_DEPTH"].flatMap { Int($0) } ?? (Self.isLong ? long : long - 4)
        var world = Self.world(features == "plain" ? Self.plain : Self.everything)
        for step in start.steps { _ = world.perform(step) }
        #expect(world.faults == [])
        var explorer = SessionExplorer()
        let time = ContinuousClock().measure { explorer.explore(from: world, depth: depth) }
        #expect(explorer.fault == nil)
        if Self.isLong {
            print(
                "soak: \(features) from \(start): states at each depth \(explorer.counts), \(explorer.transitions) steps in \(time)"
            )
        }
    }
}
