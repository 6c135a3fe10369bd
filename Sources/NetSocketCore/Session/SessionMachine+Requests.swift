internal import NetCore

extension SessionMachine {
    mutating func request(_ ticket: Ticket, _ message: Request, _ now: Duration, _ effects: inout [Effect]) {
        let entry = SessionQueue.Entry(ticket: ticket, request: message)
        if let loss = state.loss { return effects.append(.settle(ticket, .failed(loss))) }
        if let topic = message.topic, !isTag(topic), channels[topic]?.isWanted != true {
            return effects.append(.settle(ticket, .failed(.notJoined(topic: topic))))
        }
        if let openConnection, isReady(message), hasRoom(for: entry) {
            if message.wantsReply { effects.append(.setTimer(.request(ticket), now + message.timeout)) }
            return send(entry, on: openConnection, &effects)
        }
        switch message.offline {
        case .fail: return effects.append(.settle(ticket, .failed(openConnection == nil ? .offline : .full)))
        case .drop: return effects.append(.settle(ticket, .failed(.replaced)))
        case .latest(let key):
            for old in queue.take(where: {
                $0.request.offline == .latest(key: key) && $0.request.topic == message.topic
            }) { settle(old.ticket, .failed(.replaced), &effects) }
        case .queue, .resend: break
        }
        guard queue.append(entry) else { return effects.append(.settle(ticket, .failed(.full))) }
        effects.append(.setTimer(.request(ticket), now + message.timeout))
    }

    /// Returns true if nothing has to be sent before the message.
    func isReady(_ message: Request) -> Bool {
        if let topic = message.topic, !isTag(topic) { return channels[topic]?.isJoined == true }
        return unsentJoins.isEmpty
    }

    /// Returns true for a topic that isn't a channel, on a wire that has such topics.
    func isTag(_ topic: String) -> Bool { settings.features.contains(.tags) && channels[topic] == nil }

    private mutating func send(_ entry: SessionQueue.Entry, on id: ConnectionID, _ effects: inout [Effect]) {
        let (ticket, message) = (entry.ticket, entry.request)
        var request = WireSignal.request(
            WireRequest(
                id: message.wantsReply ? .number(ticket) : nil, event: message.event, payload: message.payload,
                topic: message.topic))
        if let numbered = delivery?.number(request, bytes: entry.bytes) { request = numbered }
        if message.wantsReply {
            effects.append(.send(id, request))
            pending[ticket] = Pending(entry: entry, connection: id, number: delivery?.lastSent)
        } else {
            effects += [.clearTimer(.request(ticket)), .notify(id, request, ticket)]
        }
    }

    /// Sends the queued messages that no longer have to wait.
    mutating func flush(_ now: Duration, _ effects: inout [Effect]) {
        guard let openConnection, !queue.entries.isEmpty else { return }
        let (isFree, joined) = (unsentJoins.isEmpty, Set(channels.filter(\.value.isJoined).keys))
        let tags = settings.features.contains(.tags) ? Set(channels.keys) : nil
        let isReady: (SessionQueue.Entry) -> Bool = { entry in
            guard let topic = entry.request.topic, tags?.contains(topic) ?? true else { return isFree }
            return joined.contains(topic)
        }
        guard delivery != nil else {
            for entry in queue.take(where: isReady) { send(entry, on: openConnection, &effects) }
            return
        }
        // One at a time, while there is room: each message takes some.
        while let entry = queue.entries.first(where: isReady), delivery?.hasRoom(for: entry.bytes) == true {
            _ = queue.take { $0.ticket == entry.ticket }
            send(entry, on: openConnection, &effects)
        }
    }

    mutating func replied(_ reply: WireReply, _ now: Duration, _ effects: inout [Effect]) {
        guard let ticket = reply.id.ticket, let request = pending.removeValue(forKey: ticket) else {
            return effects.append(.tell(.stray(reply)))
        }
        switch reply.outcome {
        case .success(let payload): settle(ticket, .success(payload), &effects)
        case .failure(let failure): settle(ticket, .rejected(failure), &effects)
        }
        guard let number = request.number else { return }
        // A message that was replied to has arrived, and so have all messages before it.
        delivery?.conclude(arrivalOf: number)
        flush(now, &effects)
    }

    mutating func timedOut(_ ticket: Ticket, _ now: Duration, _ effects: inout [Effect]) {
        if let request = pending.removeValue(forKey: ticket) {
            cancelAtPeer(ticket, request.connection, &effects)
            effects.append(.settle(ticket, .failed(.timedOut(request.entry.request.timeout, mayHaveArrived: true))))
        } else if let entry = queue.take(where: { $0.ticket == ticket }).first {
            effects.append(.settle(ticket, .failed(.timedOut(entry.request.timeout, mayHaveArrived: false))))
        } else {
            joinTimedOut(ticket, now, &effects)
        }
    }

    /// Handles a request or a join whose caller no longer waits. Messages already sent aren't recalled.
    mutating func cancel(_ ticket: Ticket, _ now: Duration, _ effects: inout [Effect]) {
        if let request = pending.removeValue(forKey: ticket) {
            cancelAtPeer(ticket, request.connection, &effects)
            effects.append(.clearTimer(.request(ticket)))
        } else if !queue.take(where: { $0.ticket == ticket }).isEmpty {
            effects.append(.clearTimer(.request(ticket)))
        } else {
            cancelJoin(ticket, now, &effects)
        }
    }

    private func cancelAtPeer(_ ticket: Ticket, _ connection: ConnectionID, _ effects: inout [Effect]) {
        guard settings.features.contains(.cancellation), connection == openConnection else { return }
        effects.append(.send(connection, .cancel(.number(ticket))))
    }
}
