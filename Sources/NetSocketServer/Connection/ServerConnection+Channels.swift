#if Server
internal import NetCore
internal import NetSocketCore

extension ServerConnection {
    /// A join has ended: tells the client, and then what was pushed meanwhile. On the lane.
    func joined(
        _ id: ConnectionMachine.WorkID, _ joined: WireJoined, latest: WirePush?, held: [WirePush], _ rules: ChannelRules
    ) {
        commands[id] = nil
        let now = core.clock.now()
        var isMember = false
        perform { machine, effects in
            isMember = machine.ended(id, .joined(joined), now: now, &effects) { [core] in core.order(of: $0) }
        }
        // The client has left meanwhile, or is gone.
        guard isMember else { return core.channels.leave(joined.topic, self) }
        if let latest, held.isEmpty { say(.push(latest)) }
        for push in held where push.offset.map({ $0 > joined.position?.offset ?? 0 }) ?? true { say(.push(push)) }
        core.entered(joined.topic, self, rules)
    }

    /// The connection has said a push itself: its position goes on.
    func skip(_ push: WirePush) {
        guard head.wire.features.contains(.recovery) else { return }
        say(.push(WirePush(event: "channel.skipped", topic: push.topic, offset: push.offset)))
    }

    /// Takes the connection out of a channel. On the lane.
    func expel(from topic: String, _ failure: SocketFailure?) {
        perform { machine, effects in machine.expelled(from: topic, failure, &effects) }
    }
}
#endif
