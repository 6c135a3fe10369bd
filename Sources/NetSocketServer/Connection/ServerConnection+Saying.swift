#if Server
internal import NIOCore
internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension ServerConnection {
    /// The tasks that wait until the outbox has room.
    struct Room: Sendable {
        var isFull = false
        var hasEnded = false
        var waiters = WaiterList<Void>()
    }

    // MARK: On the lane

    /// Sends a signal to the client: numbers it in a session with numbered messages, encodes it, and writes it.
    func say(_ signal: WireSignal) {
        if let successor { return forward(signal, to: successor) }
        if machine.isResuming, signal.isNumbered { return kept.append(signal) }
        guard let numbered = machine.number(signal) else { return core.sessions.overflowed(self) }
        guard outlet != nil else { return }
        do throws(NetError) {
            let messages = try wire.encode(numbered)
            switch numbered {
            case .heartbeat, .alive: for message in messages { sendAlive(.message(message)) }
            case .numbered(let number, _):
                for message in messages { send(.message(message), key: nil, signal.scope, number: number) }
            default: for message in messages { send(.message(message), key: signal.pushKey, signal.scope) }
            }
        } catch {
            if case .numbered(let number, _) = numbered { machine.void(number) }
            unwritable(signal, error)
        }
    }

    /// Sends the signals that were kept until the session was found.
    func sayKept() {
        let signals = kept
        kept = []
        for signal in signals { say(signal) }
    }

    /// Replaces a reply that the wire can't encode with a failure, so that the client doesn't wait for it.
    private func unwritable(_ signal: WireSignal, _ error: NetError) {
        core.note(.unwritable(error), self)
        if case .push = signal { core.metrics.pushesDropped(1, .unsupported) }
        guard case .reply(let reply) = signal, case .success = reply.outcome else { return }
        var failed = reply
        failed.outcome = .failure(SocketFailure("internal_error", "the reply could not be written"))
        say(.reply(failed))
    }

    /// Sends a push to one of many receivers. Its frame is shared unless it depends on the connection's own state.
    func receive(_ push: SharedPush) {
        if let user = push.user, identity.user != user { return }
        if let wire = head.sharedWire, machine.delivery == nil, successor == nil, !machine.isResuming {
            let frames = push.frames(wire, head)
            if frames.isEmpty { core.metrics.pushesDropped(1, .unsupported) }
            for frame in frames { send(.shared(frame), key: push.key, push.scope) }
        } else {
            say(.push(push.push))
        }
    }

    func send(
        _ content: ClientOutbox.Content, key: String?, _ scope: ClientOutbox.Scope = .reply, number: UInt64? = nil
    ) {
        guard let outlet, !isClosing else {
            if key != nil { core.metrics.pushesDropped(1, .closed) }
            return
        }
        if outbox.isEmpty, !isHolding, outlet.isWritable { return write(content, outlet) }
        let before = outbox.bytes
        let key = machine.delivery == nil ? key : nil
        let verdict = outbox.append(ClientOutbox.Entry(content: content, key: key, scope: scope, number: number))
        core.metrics.outboxChanged(by: outbox.bytes - before)
        switch verdict {
        case .kept: break
        case .dropped(let count): core.dropped(count, self)
        case .close(let code): return close(code, "the client reads too slowly")
        }
        if outbox.bytes >= outbox.maximumBytes / 2 { room.withLock { $0.isFull = true } }
        // Nothing else limits the responses to commands.
        if key == nil, outbox.bytes > outbox.maximumBytes, !isOutboxFull {
            isOutboxFull = true
            updateReading()
        }
    }

    func write(_ content: ClientOutbox.Content, _ outlet: any SocketOutlet) {
        switch content {
        case .message(let message):
            recorder?.record(.sent, message)
            outlet.send(message)
        case .shared(let frame):
            recorder?.record(.sent, frame.message)
            outlet.send(frame)
        }
    }

    // MARK: From anywhere

    /// Sends a signal to the user of an era, after waiting for room if the client is slow. Another user receives
    /// nothing. Throws `CancellationError` if the task is cancelled while it waits, or if the connection has ended.
    func say(_ signal: WireSignal, in era: Int) async throws {
        try await waitForRoom()
        lane.run { if self.era == era { self.say(signal) } }
        await lane.settle()
    }

    func post(_ message: WebSocketMessage, in era: Int) {
        if let lane = lane as? LoopLane, lane.isCurrent {
            if self.era == era { send(.message(message), key: nil, .user) }
        } else {
            lane.run { if self.era == era { self.send(.message(message), key: nil, .user) } }
        }
    }

    func waitForRoom() async throws {
        while true {
            try Task.checkCancellation()
            let id: WaiterList<Void>.ID? = try room.withLock { room in
                if room.hasEnded { throw CancellationError() }
                return room.isFull ? room.waiters.register() : nil
            }
            guard let id else { return }
            await WaiterList.wait(id, fallback: ()) { change in self.room.withLock { change(&$0.waiters) } }
        }
    }

    func releaseRoom() {
        let waiters = room.withLock { room in
            guard room.isFull || hasEnded else { return [WaiterList<Void>.Waiter]() }
            room.isFull = false
            room.hasEnded = hasEnded
            return room.waiters.releaseAll(with: ())
        }
        for waiter in waiters { waiter.resume() }
        guard isOutboxFull else { return }
        isOutboxFull = false
        updateReading()
    }
}

extension WireSignal {
    /// The key by which a newer push replaces this one in an outbox; nil for signals that aren't dropped.
    var pushKey: String? {
        guard case .push(let push) = self else { return nil }
        return push.key
    }
}

extension WirePush {
    var key: String { topic.map { "\($0)\u{0}\(event)" } ?? event }
}
#endif
