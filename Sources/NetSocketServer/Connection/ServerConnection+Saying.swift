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
        if let successor { return successor.lane.run { successor.say(signal) } }
        if machine.isResuming, signal.isNumbered { return kept.append(signal) }
        guard let numbered = machine.number(signal) else { return core.sessions.overflowed(self) }
        guard outlet != nil else { return }
        do throws(NetError) {
            let key = signal.pushKey
            for message in try wire.encode(numbered) { send(.message(message), key: key) }
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
        if let wire = head.sharedWire, machine.delivery == nil, successor == nil, !machine.isResuming {
            let frames = push.frames(wire, head)
            if frames.isEmpty { core.metrics.pushesDropped(1, .unsupported) }
            for frame in frames { send(.shared(frame), key: push.key) }
        } else {
            say(.push(push.push))
        }
    }

    func send(_ content: ClientOutbox.Content, key: String?) {
        guard let outlet, !isClosing else {
            if key != nil { core.metrics.pushesDropped(1, .closed) }
            return
        }
        if outbox.isEmpty, outlet.isWritable { return write(content, outlet) }
        let before = outbox.bytes
        let verdict = outbox.append(ClientOutbox.Entry(content: content, key: machine.delivery == nil ? key : nil))
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

    /// Sends a signal, after waiting for room if the client is slow. Throws `CancellationError` if the task is
    /// cancelled while it waits, or if the connection has ended.
    func say(_ signal: WireSignal, waits: Bool) async throws {
        if waits { try await waitForRoom() }
        lane.run { self.say(signal) }
        if waits { await lane.settle() }
    }

    func post(_ message: WebSocketMessage) {
        if let lane = lane as? LoopLane, lane.isCurrent {
            send(.message(message), key: nil)
        } else {
            lane.run { self.send(.message(message), key: nil) }
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
