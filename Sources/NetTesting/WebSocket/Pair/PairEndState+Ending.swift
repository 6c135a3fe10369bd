internal import NetCore
internal import NetSocketCore

/// The ways in which a connection ends.
extension PairEndState {
    /// The time limit of the closing handshake.
    private static let closeTimeout = Duration.seconds(5)
    /// The time that the receiver has for its replies before a close frame is sent.
    private static let answerTimeout = Duration.seconds(1)

    /// Holds an end until the receiver has taken the messages before it and asks for more, so that its replies are sent
    /// before the close frame.
    mutating func hold() {
        guard endpoint.phase == .open else { return actOnHeldEnd() }
        if settings.isScripted { return }
        guard !inbox.isEmpty || isAnswering else { return actOnHeldEnd() }
        setDeadline(after: Self.answerTimeout)
        effects.isHolding = true
    }

    mutating func actOnHeldEnd() {
        let phase = endpoint.phase
        guard let end = endpoint.endIfHeld() else { return }
        settings.log?.note(end)
        switch (end, phase) {
        case (.closed(let closure), _): self.end(settings.origin.closed(closure, peer: settings.peer))
        case (.violated, .closing(let closure)):
            endpoint.takeOutgoing { _ in }
            self.end(settings.origin.unconfirmed(closure, peer: settings.peer))
        case (.violated(let violation), _):
            self.end(settings.origin.violated(violation))
        }
    }

    /// Starts the closing handshake. Returns false if the end has already started.
    mutating func close(_ closure: WebSocketClosure) -> Bool {
        actOnHeldEnd()
        let begins =
            ending == nil
            && (settings.isScripted
                ? endpoint.close(anyCode: closure.code, reason: closure.reason)
                : endpoint.close(closure.code, reason: closure.reason))
        guard begins else { return false }
        report { $0.record(.sent, .close, bytes: 2 + closure.reason.utf8.count) }
        setDeadline(after: Self.closeTimeout)
        effects.wakesSenders = true
        resumeReading()
        return true
    }

    /// Handles the end of the peer's bytes.
    mutating func transportEnded(_ message: String) {
        actOnHeldEnd()
        guard ending == nil else { return }
        if case .closing(let closure) = endpoint.phase {
            end(settings.origin.unconfirmed(closure, peer: settings.peer))
        } else {
            end(settings.origin.lost(endpoint.isMidMessage ? "\(message) inside a message" : message))
        }
        endpoint.transportEnded()
    }

    /// Ends the closing handshake immediately, because the caller that waited for it was cancelled.
    mutating func endClosing() {
        guard ending == nil, endpoint.phase != .open else { return }
        transportEnded("")
    }

    /// Ends the connection on this side, without a closing handshake.
    mutating func drop(_ message: String, resets: Bool = false) {
        guard ending == nil else { return }
        if resets { effects.failure = .reset }
        end(settings.origin.lost(message))
        endpoint.wasDropped()
    }

    mutating func deadlinePassed(now: Duration) {
        guard ending == nil else { return }
        if endpoint.isEndHeld {
            actOnHeldEnd()
        } else if endpoint.phase == .open {
            checkLiveness(now: now)
        } else {
            transportEnded("")
        }
    }

    /// Registers a task that waits for the end. Returns nil if the connection has ended.
    mutating func waitForEnd() -> Tasks.ID? { ending == nil ? tasks.register() : nil }

    private mutating func end(_ error: NetError) {
        guard ending == nil else { return }
        ending = error
        arrived = []
        (receiver, reader, isReadingPaused) = (nil, nil, false)
        effects.hasEnded = true
        effects.wakesSenders = true
        effects.waiters += tasks.releaseAll(with: ())
        effects.pings += pings.fail(error)
        report { $0.closed(error) }
    }

    // MARK: Errors

    /// The error for sending on a connection that has ended or is being closed.
    var endOfSending: NetError {
        if let ending { return ending }
        var closure: WebSocketClosure?
        if case .closing(let begun) = endpoint.phase { closure = begun }
        return settings.origin.error(
            .webSocketClosed, phase: .sending, message: "the WebSocket is being closed here", closure: closure)
    }
}
