internal import NetCore

extension SessionMachine {
    /// One channel that a caller wants to be in, or that is being left.
    struct Channel: Sendable {
        enum State: Sendable {
            /// No connection is open, or the payload of the channel's join is being created.
            case waiting
            case joining(SocketID)
            case joined
            case leaving(SocketID)
        }

        /// The ticket of the join that created the channel.
        var generation: Ticket
        var state = State.waiting
        /// The tickets that wait for the reply to its join or leave.
        var waiters: [Ticket] = []
        /// The reply to the last join.
        var reply: SocketPayload?
        /// False until the first join has succeeded.
        var wasJoined = false
        var position: ChannelPosition?
        /// The number of times that the server has ended the channel by a failure since the connection was opened.
        var crashes = 0

        var isJoined: Bool { if case .joined = state { true } else { false } }
        /// False while the channel is being left.
        var isWanted: Bool { if case .leaving = state { false } else { true } }
    }

    // MARK: Joining

    /// Joins a channel. The time limit of the ticket includes the wait for a connection, as that of a request does.
    mutating func join(_ ticket: Ticket, _ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        if let loss = state.loss { return effects.append(.settle(ticket, .failed(loss))) }
        if let channel = channels[topic], channel.isJoined {
            return effects.append(.settle(ticket, .success(channel.reply)))
        }
        effects.append(.setTimer(.request(ticket), now + settings.joinTimeout))
        if let channel = channels[topic], channel.isWanted {
            channels[topic]?.waiters.append(ticket)
            return
        }
        // A channel that is being left is joined again: its leave was sent first.
        if let old = channels[topic] {
            effects.append(.clearTimer(.join(topic: topic)))
            for waiter in old.waiters { settle(waiter, .success(nil), &effects) }
            effects.append(.tell(.left(topic: topic, nil)))
        }
        let channel = Channel(generation: ticket, waiters: [ticket])
        if channels.updateValue(channel, forKey: topic) == nil { channelOrder.append(topic) }
        if let openConnection { makeJoinPayload(openConnection, topic, &effects) }
    }

    func makeJoinPayload(_ id: ConnectionID, _ topic: String, _ effects: inout [Effect]) {
        guard let channel = channels[topic] else { return }
        effects.append(.makeJoinPayload(id, topic: topic, generation: channel.generation))
    }

    mutating func joinPayload(
        _ id: ConnectionID, _ topic: String, _ generation: Ticket, _ payload: SocketPayload?, _ error: NetError?,
        _ now: Duration, _ effects: inout [Effect]
    ) {
        guard openConnection == id, let channel = channels[topic], channel.generation == generation,
            case .waiting = channel.state
        else { return }
        unsentJoins.remove(topic)
        if let error {
            remove(topic, .failed(.unprepared(error)), &effects)
            effects.append(.tell(.left(topic: topic, nil)))
        } else {
            lastNumber += 1
            let join = WireJoin(id: .number(lastNumber), topic: topic, payload: payload, position: channel.position)
            channels[topic]?.state = .joining(join.id)
            effects += [
                .setTimer(.join(topic: topic), now + settings.joinTimeout), .tell(.joining(topic: topic)),
                .send(id, .join(join)),
            ]
        }
        flush(now, &effects)
    }

    mutating func joined(_ joined: WireJoined, _ now: Duration, _ effects: inout [Effect]) {
        let topic = joined.topic
        guard var channel = channels[topic], case .joining(joined.id) = channel.state else { return }
        let missed: MissedPushes
        switch (channel.wasJoined, joined.isRecovered) {
        case (false, _), (true, true?): missed = .nothing
        case (true, false?): missed = .some
        case (true, nil): missed = .unknown
        }
        channel.state = .joined
        channel.wasJoined = true
        channel.reply = joined.payload
        // An offset of another epoch is meaningless.
        if let position = joined.position, position.epoch != channel.position?.epoch { channel.position = nil }
        let waiters = channel.waiters
        channel.waiters = []
        channels[topic] = channel
        effects.append(.clearTimer(.join(topic: topic)))
        effects.append(.tell(.joined(topic: topic, joined.payload, missed)))
        for ticket in waiters { settle(ticket, .success(joined.payload), &effects) }
        // The missed pushes come before the position of the reply. Some may have arrived already.
        for push in joined.missed { pushed(push, &effects) }
        let position = channels[topic]?.position
        channels[topic]?.position = Self.position(after: joined, position)
        flush(now, &effects)
    }

    /// Returns the position after a join. It doesn't go back before pushes already received, unless the server has
    /// lost its history.
    private static func position(after joined: WireJoined, _ old: ChannelPosition?) -> ChannelPosition? {
        guard let old, let new = joined.position, new.epoch == old.epoch, joined.isRecovered != false else {
            return joined.position ?? old
        }
        return new.offset < old.offset ? old : new
    }

    /// Handles a refused join. A channel that was joined before is joined again later if the server is temporarily
    /// unavailable.
    mutating func joinRefused(
        _ id: SocketID, _ topic: String, _ failure: SocketFailure, _ now: Duration, _ effects: inout [Effect]
    ) {
        guard let channel = channels[topic], case .joining(id) = channel.state else { return }
        if failure.code == SocketFailure.unavailable, channel.wasJoined { return postpone(topic, now, &effects) }
        remove(topic, .rejected(failure), &effects)
        effects.append(.tell(.left(topic: topic, failure)))
    }

    mutating func joinTimedOut(_ topic: String, _ effects: inout [Effect]) {
        switch channels[topic]?.state {
        case .joining:
            remove(topic, .failed(.timedOut(settings.joinTimeout, mayHaveArrived: true)), &effects)
            effects.append(.tell(.left(topic: topic, nil)))
        case .leaving:
            // A server that doesn't reply to a leave has nevertheless received it.
            remove(topic, .success(nil), &effects)
            effects.append(.tell(.left(topic: topic, nil)))
        case .waiting: rejoin(topic, &effects)
        case .joined, nil: break
        }
    }

    /// Handles the time limit of a ticket that waits for a join.
    mutating func joinTimedOut(_ ticket: Ticket, _ now: Duration, _ effects: inout [Effect]) {
        guard let topic = topic(awaitedBy: ticket), let channel = channels[topic] else { return }
        let loss = Loss.timedOut(settings.joinTimeout, mayHaveArrived: channel.isJoining)
        effects.append(.settle(ticket, .failed(loss)))
        forget(ticket, of: topic, now, &effects)
    }

    /// Handles a join whose caller no longer waits.
    mutating func cancelJoin(_ ticket: Ticket, _ now: Duration, _ effects: inout [Effect]) {
        guard let topic = topic(awaitedBy: ticket) else { return }
        effects.append(.clearTimer(.request(ticket)))
        forget(ticket, of: topic, now, &effects)
    }

    private func topic(awaitedBy ticket: Ticket) -> String? {
        channelOrder.first { channels[$0]?.waiters.contains(ticket) == true }
    }

    /// Removes a ticket that no longer waits for a join; without any waiting ticket, the join is abandoned.
    private mutating func forget(_ ticket: Ticket, of topic: String, _ now: Duration, _ effects: inout [Effect]) {
        channels[topic]?.waiters.removeAll { $0 == ticket }
        guard let channel = channels[topic], channel.waiters.isEmpty, channel.isWanted, !channel.wasJoined else {
            return
        }
        if channel.isJoining, let openConnection {
            lastNumber += 1
            effects.append(.send(openConnection, .leave(.number(lastNumber), topic: topic)))
        }
        remove(topic, .failed(.closed), &effects)
        effects.append(.tell(.left(topic: topic, nil)))
        flush(now, &effects)
    }

    // MARK: Leaving

    mutating func leave(_ ticket: Ticket, _ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        guard let channel = channels[topic] else { return effects.append(.settle(ticket, .success(nil))) }
        if case .leaving = channel.state {
            channels[topic]?.waiters.append(ticket)
            return
        }
        guard let openConnection, channel.isJoined || channel.isJoining else {
            remove(topic, .failed(.notJoined(topic: topic)), &effects)
            effects += [.settle(ticket, .success(nil)), .tell(.left(topic: topic, nil))]
            return flush(now, &effects)
        }
        // Fails the tickets that wait for the join, and the messages behind it.
        remove(topic, .failed(.notJoined(topic: topic)), &effects)
        lastNumber += 1
        guard settings.features.contains(.confirmedLeaves) else {
            effects += [
                .send(openConnection, .leave(.number(lastNumber), topic: topic)), .settle(ticket, .success(nil)),
                .tell(.left(topic: topic, nil)),
            ]
            return
        }
        channels[topic] = Channel(
            generation: ticket, state: .leaving(.number(lastNumber)), waiters: [ticket])
        channelOrder.append(topic)
        effects += [
            .setTimer(.join(topic: topic), now + settings.joinTimeout), .tell(.leaving(topic: topic)),
            .send(openConnection, .leave(.number(lastNumber), topic: topic)),
        ]
    }

    /// Handles the reply to a leave, or the server's own decision if there is no ID. The reply to an older leave
    /// doesn't affect a later join.
    mutating func left(
        _ id: SocketID?, _ topic: String, _ failure: SocketFailure?, _ now: Duration, _ effects: inout [Effect]
    ) {
        guard let channel = channels[topic] else { return }
        if let id {
            guard case .leaving(id) = channel.state else { return }
        } else if failure != nil, crashed(topic, now, &effects) {
            return
        }
        if case .leaving = channel.state {
            remove(topic, .success(nil), &effects)
        } else {
            remove(topic, failure.map { .rejected($0) } ?? .failed(.notJoined(topic: topic)), &effects)
        }
        effects.append(.tell(.left(topic: topic, failure)))
        flush(now, &effects)
    }

    /// Removes a channel and settles everything that waits for it.
    private mutating func remove(_ topic: String, _ outcome: Outcome, _ effects: inout [Effect]) {
        guard let channel = channels.removeValue(forKey: topic) else { return }
        channelOrder.removeAll { $0 == topic }
        unsentJoins.remove(topic)
        effects.append(.clearTimer(.join(topic: topic)))
        for ticket in channel.waiters { settle(ticket, outcome, &effects) }
        for entry in queue.take(where: { $0.request.topic == topic }) {
            settle(entry.ticket, .failed(.notJoined(topic: topic)), &effects)
        }
    }

    // MARK: Connections and pushes

    /// Interrupts the channels when the connection has ended: they wait for the next one.
    mutating func interruptChannels(_ error: NetError, _ effects: inout [Effect]) {
        for topic in channelOrder {
            guard let channel = channels[topic] else { continue }
            channels[topic]?.crashes = 0
            switch channel.state {
            case .waiting: if channel.crashes > 0 { effects.append(.clearTimer(.join(topic: topic))) }
            case .leaving:
                remove(topic, .success(nil), &effects)
                effects.append(.tell(.left(topic: topic, nil)))
            case .joining, .joined:
                channels[topic]?.state = .waiting
                effects.append(.clearTimer(.join(topic: topic)))
                if channel.isJoined { effects.append(.tell(.interrupted(topic: topic))) }
            }
        }
    }

    /// Delivers a push. Offsets never go back: a push that was already delivered is dropped, and a gap is reported
    /// first.
    mutating func pushed(_ push: WirePush, _ effects: inout [Effect]) {
        if let topic = push.topic, let offset = push.offset, let last = channels[topic]?.position?.offset {
            guard offset > last else { return }
            if offset > last + 1 { effects.append(.tell(.gap(topic: topic))) }
            channels[topic]?.position?.offset = offset
        }
        if push.event == WirePush.skipped, push.offset != nil { return }
        if push.event == WirePush.gap, let topic = push.topic, channels[topic]?.isJoined == true {
            return goOn(topic, after: push, &effects)
        }
        effects.append(.tell(.push(push)))
    }

    /// Handles lost pushes of a channel: the server sends the position from which it continues.
    private mutating func goOn(_ topic: String, after gap: WirePush, _ effects: inout [Effect]) {
        let position = (try? gap.payload?.decoded(as: ChannelGap.self))?.position
        if let position { channels[topic]?.position = position }
        effects.append(.tell(.gap(topic: topic)))
    }
}

extension SessionMachine.Channel {
    var isJoining: Bool { if case .joining = state { true } else { false } }
}
