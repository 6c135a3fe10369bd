#if Server
internal import NetCore
internal import NetSocketCore

/// Joins and leaves.
extension ConnectionMachine {
    mutating func joining(_ join: WireJoin, _ now: Duration, _ effects: inout [Effect]) {
        guard join.topic.utf8.count <= settings.maximumNameBytes else {
            let failure = SocketFailure("invalid_channel", "the name of the channel is too long")
            effects.append(.send(.joinRefused(join.id, topic: join.topic, failure)))
            return
        }
        let joining = running.reduce(0) { $0 + ($1.work.isJoin ? 1 : 0) }
        guard topics.contains(join.topic) || topics.count + joining < settings.maximumChannels else {
            let failure = SocketFailure(
                "too_many_channels", "a connection can be in at most \(settings.maximumChannels) channels")
            effects.append(.send(.joinRefused(join.id, topic: join.topic, failure)))
            return
        }
        // A new join replaces the client's earlier join of the same channel.
        giveUpJoins(of: join.topic, &effects)
        start(.join(join), serial: false, now, &effects)
        regulate(&effects)
    }

    mutating func giveUpJoins(of topic: String, _ effects: inout [Effect]) {
        abandon({ $0.isJoin && $0.topic == topic }, &effects)
    }

    func isJoining(_ topic: String) -> Bool {
        running.contains { $0.work.isJoin && $0.work.topic == topic }
    }

    mutating func leaving(_ id: SocketID, _ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        giveUpJoins(of: topic, &effects)
        if topics.remove(topic) != nil { effects.append(.leave(topic)) }
        effects.append(.send(.left(id, topic: topic, nil)))
        settle(now, &effects)
    }

    /// Removes the connection from a channel at the server's request.
    mutating func expelled(from topic: String, _ failure: SocketFailure?, _ effects: inout [Effect]) {
        guard phase != .over, topics.remove(topic) != nil else { return }
        if isAsking(topic) { effects.append(.discard(topic)) }
        effects += [.leave(topic), .send(.left(nil, topic: topic, failure))]
    }
}
#endif
