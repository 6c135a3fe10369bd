internal import NetCore

/// Channels that the client joins again after a delay: those that a server ends by an internal failure, on wires where
/// a failure has that meaning (``SocketWire/Features/crashes``), and those that it can't serve now
/// (``SocketFailure/unavailable``).
extension SessionMachine {
    /// The delays before a channel is joined again, those of Phoenix's clients; the last one repeats.
    private static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(10)]

    /// Returns false if the channel isn't joined again.
    mutating func crashed(_ topic: String, _ now: Duration, _ effects: inout [Effect]) -> Bool {
        guard settings.features.contains(.crashes), let channel = channels[topic], channel.wasJoined, channel.isJoined
        else { return false }
        effects.append(.tell(.interrupted(topic: topic)))
        postpone(topic, now, &effects)
        return true
    }

    /// Joins a channel again after a delay.
    mutating func postpone(_ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        let wait = Self.waits[min(channels[topic]?.crashes ?? 0, Self.waits.count - 1)]
        channels[topic]?.state = .waiting
        channels[topic]?.crashes += 1
        effects.append(.setTimer(.join(topic: topic), now + wait))
    }

    /// Joins the channel again when the delay is over.
    mutating func rejoin(_ topic: String, _ effects: inout [Effect]) {
        guard let openConnection, channels[topic]?.crashes != 0 else { return }
        makeJoinPayload(openConnection, topic, &effects)
    }
}
