internal import NetCore

/// Channels that the client joins again after a wait: those that a server ends by a failure of its own, on wires where it means
/// that (``SocketWire/Features/crashes``), and those that it can't serve now (``SocketFailure/unavailable``).
extension SessionMachine {
    /// The waits before a channel is joined again, those of Phoenix's clients; the last one from then on.
    private static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(10)]

    /// Returns false if the channel is not joined again.
    mutating func crashed(_ topic: String, _ now: Duration, _ effects: inout [Effect]) -> Bool {
        guard settings.features.contains(.crashes), let channel = channels[topic], channel.wasJoined, channel.isJoined
        else { return false }
        effects.append(.tell(.interrupted(topic: topic)))
        postpone(topic, now, &effects)
        return true
    }

    /// Joins a channel again after a wait.
    mutating func postpone(_ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        let wait = Self.waits[min(channels[topic]?.crashes ?? 0, Self.waits.count - 1)]
        channels[topic]?.state = .waiting
        channels[topic]?.crashes += 1
        effects.append(.setTimer(.join(topic: topic), now + wait))
    }

    /// The wait is over.
    mutating func rejoin(_ topic: String, _ effects: inout [Effect]) {
        guard let openConnection, channels[topic]?.crashes != 0 else { return }
        makeJoinPayload(openConnection, topic, &effects)
    }
}
