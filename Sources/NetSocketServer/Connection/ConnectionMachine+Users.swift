#if Server
internal import NetCore
internal import NetSocketCore

/// Credentials that are renewed, and a connection that gets another user by them.
extension ConnectionMachine {
    static let userChanged = SocketFailure("user_changed", "the connection belongs to another user now")

    /// True if a signal has to wait while credentials are checked.
    func mustHold(_ signal: WireSignal) -> Bool {
        switch signal {
        case .heartbeat, .alive, .acknowledge, .end: false
        case .cancel(let id), .unsubscribe(let id):
            !running.contains { $0.work.id == id } && !waiting.contains { $0.work.id == id }
        default: true
        }
    }

    /// Holds a signal while credentials are checked.
    mutating func holdForUser(_ signal: WireSignal, _ effects: inout [Effect]) {
        held.append(signal)
        heldBytes += signal.weight
        guard held.count <= settings.maximumWaiting, heldBytes <= settings.maximumCommandBytes else {
            return end(.policyViolation, "too much was sent while credentials were checked", &effects)
        }
        regulate(&effects)
    }

    /// Refuses the work of the former user, and asks each channel about the new one.
    ///
    /// - Parameter refused: The channels that aren't asked, since the connection joins too often.
    mutating func userChanged(_ now: Duration, refusing refused: Set<String>, _ effects: inout [Effect]) {
        for each in running where !each.work.isAuthentication {
            effects.append(.cancel(each.id))
            abandoned[each.id] = Abandoned(each.work)
            refuseFormer(each.work, &effects)
        }
        running.removeAll { !$0.work.isAuthentication }
        for each in waiting { refuseFormer(each.work, &effects) }
        waiting = []
        guard !topics.isEmpty else { return }
        effects.append(.hold)
        for topic in topics.sorted() {
            if refused.contains(topic) {
                let failure = SocketFailure("too_many_joins", "channels are joined too often")
                decided(topic, failure, &effects)
            } else {
                start(.ask(topic), serial: false, now, &effects)
            }
        }
    }

    private mutating func refuseFormer(_ work: Work, _ effects: inout [Effect]) {
        switch work {
        case .command(let request):
            if let reply = request.reply(.failed(Self.userChanged)) { effects.append(.send(.reply(reply))) }
        case .subscription(let id, _): effects.append(.send(.completed(id, Self.userChanged)))
        case .join(let join):
            // The client counts as outside from now on, even if it was a member before.
            if topics.remove(join.topic) != nil { effects += [.discard(join.topic), .leave(join.topic)] }
            effects.append(.send(.joinRefused(join.id, topic: join.topic, Self.userChanged)))
        case .opening, .authentication, .ask: break
        }
    }

    /// Handles a channel's decision about the new user; a failure if the user may not stay.
    mutating func decided(_ topic: String, _ failure: SocketFailure?, _ effects: inout [Effect]) {
        guard let failure, topics.remove(topic) != nil else { return }
        effects += [.discard(topic), .leave(topic)]
        effects.append(.send(.left(nil, topic: topic, settings.rejoinsAfterFailure ? nil : failure)))
    }

    /// Sends the reply and handles the held signals, once the credentials are checked and all channels have decided.
    mutating func endIdentifying(
        _ now: Duration, _ effects: inout [Effect], _ order: (WireRequest) -> Order
    ) {
        guard isIdentifying, !running.contains(where: { $0.work.isAsk || $0.work.isAuthentication }) else { return }
        isIdentifying = false
        if let reply = changed.take()?.reply(.done(nil)) { effects.append(.send(.reply(reply))) }
        effects.append(.release)
        releaseHeld(now, &effects, order)
        regulate(&effects)
    }

    func isAsking(_ topic: String) -> Bool {
        running.contains { $0.work.isAsk && $0.work.topic == topic }
    }

    /// Leaves the channels that haven't decided yet.
    mutating func giveUpAsking(_ effects: inout [Effect]) {
        (isIdentifying, changed) = (false, nil)
        let asked = running.filter(\.work.isAsk).compactMap(\.work.topic)
        guard !asked.isEmpty else { return }
        for topic in asked where topics.remove(topic) != nil { effects += [.discard(topic), .leave(topic)] }
        abandon({ $0.isAsk }, &effects)
        effects.append(.release)
    }

    /// The channels with joins that haven't ended, whether or not their outcome is still needed.
    var joiningTopics: Set<String> {
        Set(running.filter(\.work.isJoin).compactMap(\.work.topic)).union(abandoned.values.compactMap(\.joins))
    }

    /// Empties the unacknowledged pushes of a channel, or those without a channel: they aren't sent again.
    mutating func voidPushes(of topic: String?) {
        guard let entries = delivery?.unacknowledged else { return }
        for entry in entries {
            if case .push(let push) = entry.signal, push.topic == topic { delivery?.void(entry.number) }
        }
    }
}
#endif
