internal import NetCore
internal import NetSocketCore

/// Reading, and receiving the messages that were read.
extension PairEndState {
    enum TakeAction {
        case messages([WebSocketMessage])
        case ended(NetError)
        case wait(Tasks.ID)
        /// Another task is receiving.
        case busy
    }

    /// Takes all messages. If there are none, acts on a held end.
    mutating func take() -> TakeAction {
        guard inbox.isEmpty else {
            isAnswering = true
            return .messages(takeInbox())
        }
        isAnswering = false
        actOnHeldEnd()
        if let ending { return .ended(ending) }
        guard receiver == nil else { return .busy }
        let id = tasks.register()
        receiver = id
        return .wait(id)
    }

    /// Takes one message.
    mutating func takeFirst() -> WebSocketMessage? {
        var messages = takeInbox()
        guard !messages.isEmpty else { return nil }
        let first = messages.removeFirst()
        append(messages)
        return first
    }

    // MARK: Reading

    /// Returns true if the inbox is full; reading then pauses.
    mutating func pausesReading() -> Bool {
        isReadingPaused = isFull
        return isReadingPaused
    }

    /// Registers the reader while the inbox is full. Returns nil if reading may continue.
    mutating func waitForRoom() -> Tasks.ID? {
        guard pausesReading() else { return nil }
        let id = tasks.register()
        reader = id
        return id
    }

    /// Reads the next chunk that has arrived.
    mutating func readArrived(now: Duration) {
        guard let bytes = arrived.popFirst(), ending == nil else { return }
        lastByte = now
        let wasHeld = endpoint.isEndHeld
        let isOpen = endpoint.phase == .open
        let events = bytes.withUnsafeBytes { endpoint.receive($0) }
        settings.log?.note(events)
        for event in events { handle(event, now: now) }
        let messages = endpoint.takeMessages()
        if isOpen { append(messages) }
        if endpoint.isEndHeld, !wasHeld { hold() }
    }

    private mutating func handle(_ event: WebSocketEvent, now: Duration) {
        switch event {
        case .message(let message): report { $0.record(.received, message) }
        case .ping(let payload):
            report { $0.record(.received, .ping, bytes: payload.count) }
            report { $0.record(.sent, .pong, bytes: payload.count) }
        case .pong(let payload):
            report { $0.record(.received, .pong, bytes: payload.count) }
            guard let answer = pings.answer(payload, now: now) else { return }
            if let time = answer.time { report { $0.roundTrip(time) } }
            effects.pings += answer.waiters
        case .close(let code, let reason):
            let bytes = reason.utf8.count + (code == .noStatusReceived ? 0 : 2)
            report { $0.record(.received, .close, bytes: bytes) }
        }
    }
}
