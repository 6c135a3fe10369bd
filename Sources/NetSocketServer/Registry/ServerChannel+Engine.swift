#if Server
internal import NetCore
internal import NetSocketCore

/// Presence and gaps, as the engine reports them.
extension ServerChannel {
    // MARK: Who is here

    /// Replaces the members on other servers. This server's own connections are known locally.
    func synchronize(_ members: [PresenceMember]) {
        change { state in
            let own = Array(state.shown.values)
            show(state.presence.synchronize(with: own + members.filter { $0.node != node }), &state)
        }
    }

    func entered(_ member: PresenceMember) {
        guard member.node != node else { return }
        change { state in show(state.presence.enter(member), &state) }
    }

    func left(_ member: PresenceMember) {
        guard member.node != node else { return }
        change { state in show(state.presence.leave(member), &state) }
    }

    /// Sends the members a presence diff.
    func show(_ diff: PresenceDiff, _ state: inout State) {
        guard !diff.isEmpty else { return }
        tell(WirePush(event: "presence_diff", payload: diff.payload, topic: topic), &state)
    }

    /// Sends a push to the members on this server.
    func tell(_ push: WirePush) { change { state in tell(push, &state) } }

    private func tell(_ push: WirePush, _ state: inout State) {
        let shared = SharedPush(push)
        hold(push, &state)
        for group in state.groups {
            let members = group.members
            run(group.lane, &state) { for member in members { member.receive(shared) } }
        }
    }

    // MARK: What is lost

    /// Handles lost pushes: sends the members the position from which the channel continues.
    func gap(_ position: ChannelPosition) {
        change { state in
            hold(ChannelGap.push(in: topic, position), &state)
            let push = ChannelGap.push(in: topic, state.rules.isPositioned ? position : nil)
            for group in state.groups {
                let members = group.members
                run(group.lane, &state) { for member in members { member.gap(push) } }
            }
        }
    }
}

extension ServerConnection {
    /// Notifies the client that pushes of a channel were lost, as its wire protocol allows. On the lane.
    func gap(_ push: WirePush) {
        guard let topic = push.topic else { return }
        if head.wire.name == SocketWire.json.name || head.wire.name == SocketWire.numberedJSON.name {
            say(.push(push))
        } else if head.wire.features.contains(.recovery) {
            // Centrifugo's "insufficient state": its clients subscribe again.
            expel(from: topic, SocketFailure("2500", "insufficient state"))
        } else if head.wire.features.contains(.crashes) {
            expel(from: topic, SocketFailure("history_lost", "messages of this channel were lost"))
        }
    }
}
#endif
