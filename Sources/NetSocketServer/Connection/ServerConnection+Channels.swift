#if Server
internal import NetCore
internal import NetSocketCore

extension ServerConnection {
    /// Completes a join: notifies the client, and then sends the pushes that were held during the join. On the lane.
    func joined(
        _ id: ConnectionMachine.WorkID, _ joined: WireJoined, latest: WirePush?, held: [WirePush], presence: WirePush?
    ) {
        commands[id] = nil
        let now = core.clock.now()
        var isMember = false
        perform { machine, effects in
            isMember = machine.ended(id, .joined(joined), now: now, &effects) { [core] in core.order(of: $0) }
        }
        guard isMember else {
            // The client has left or disconnected meanwhile, or has sent another join. In the last case, the
            // connection stays in the channel unless the later join is refused.
            if !machine.topics.contains(joined.topic), !machine.isJoining(joined.topic) {
                core.channels.leave(joined.topic, self)
            }
            return
        }
        if let latest, held.isEmpty { say(.push(latest)) }
        sayHeld(held, after: joined.position)
        if let presence { say(.push(presence)) }
    }

    /// Sends the pushes that arrived during a join and aren't in its reply.
    private func sayHeld(_ pushes: [WirePush], after position: ChannelPosition?) {
        var position = position
        for push in pushes {
            if push.event == WirePush.gap {
                let next = (try? push.payload?.decoded(as: ChannelGap.self))?.position
                // The reply to the join covers it.
                if let next, let known = position, known.epoch == next.epoch, known.offset >= next.offset { continue }
                position = next ?? position
                gap(push)
            } else if push.offset.map({ $0 > position?.offset ?? 0 }) ?? true {
                say(.push(push))
            }
        }
    }

    /// Refuses a join that comes too soon after others. Returns false for any other signal.
    func joinsTooOften(_ signal: WireSignal, _ now: Duration) -> Bool {
        guard case .join(let join) = signal, rate.join(at: now) == .exceeded else { return false }
        let failure = SocketFailure("too_many_joins", "channels are joined too often")
        let refusal = WireSignal.joinRefused(join.id, topic: join.topic, failure)
        if core.observer != nil || core.logsDetails { observe(refusal) }
        say(refusal)
        return true
    }

    /// Skips a push that the connection itself sent: only its position advances, if the client has agreed to such
    /// messages.
    func skip(_ push: WirePush) {
        guard head.wire.features.contains(.delivery), let subprotocol = head.subprotocol,
            head.wire.subprotocols.contains(subprotocol)
        else { return }
        say(.push(WirePush(event: WirePush.skipped, topic: push.topic, offset: push.offset)))
    }

    /// Removes the connection from a channel. On the lane.
    func expel(from topic: String, _ failure: SocketFailure?) {
        perform { machine, effects in machine.expelled(from: topic, failure, &effects) }
    }
}
#endif
