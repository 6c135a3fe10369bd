#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore
internal import NetSocketCore

/// The ways in which a WebSocket ends. The first reason that is certain counts, and each waiting task gets it once.
extension SocketTaskStateMachine {
    // MARK: The task

    /// Handles the peer's close frame.
    mutating func receivedClose(_ code: WebSocketCloseCode, reason: String) {
        switch state {
        case .open, .ending(_, isCertain: false):
            let closure = WebSocketClosure(code: code, reason: reason, isByPeer: true)
            begin(ending: origin.closed(closure, peer: Self.peer), isCertain: true)
        case .closing(let closure): finish(origin.closed(closure, peer: Self.peer))
        case .connecting, .ending, .ended: break
        }
    }

    /// Handles the end of the task, which comes last.
    ///
    /// - Parameters:
    ///   - error: The reason; nil for a task that ended by itself.
    ///   - head: The server's response to the opening handshake.
    ///   - closure: The peer's close frame, if URLSession has received one.
    mutating func didComplete(
        _ error: NetError?, head: ResponseHead?, closure: (code: WebSocketCloseCode, reason: String)?
    ) {
        isComplete = true
        switch state {
        case .connecting:
            guard let head, head.status.code != 101 else {
                return failOpening(
                    error
                        ?? origin.error(
                            .connectionLost, phase: .waiting,
                            message: "\(Self.peer) closed the connection before it responded to the opening handshake"))
            }
            state = .ended(origin.lost("the WebSocket was refused"))
            resume(\.opener, .refused(head))
            setDeadline(nil)
        case .open, .ending(_, isCertain: false):
            if let closure { return receivedClose(closure.code, reason: closure.reason) }
            if let violation = error.flatMap({ violation($0) }) { return finish(origin.violated(violation)) }
            let message = error?.message ?? "\(Self.peer) closed the connection"
            begin(ending: origin.lost(message), isCertain: true)
        case .closing(let sent):
            finish(
                closure == nil
                    ? origin.unconfirmed(sent, peer: Self.peer) : origin.closed(sent, peer: Self.peer))
        case .ending: break
        case .ended: setDeadline(nil)
        }
    }

    /// Handles a failed `receive`, send or ping. URLSession reports the reason only later, or not at all.
    mutating func taskFailed(_ error: NetError) {
        switch state {
        case .open:
            if let violation = violation(error) { return violated(violation) }
            begin(ending: origin.lost(error.message), isCertain: false)
        case .ending(let error, let isCertain): begin(ending: error, isCertain: isCertain)
        case .connecting, .closing, .ended: break
        }
    }

    /// Returns the violation that URLSession has detected; nil if the error is another one.
    private func violation(_ error: NetError) -> WebSocketViolation? {
        switch error.code {
        case .bodyTooLarge: tooBig
        case .protocolViolation: WebSocketViolation(.protocolError, error.message)
        default: nil
        }
    }

    /// Ends the connection because of a violation, with a close frame that names it.
    mutating func violated(_ violation: WebSocketViolation) {
        if !isComplete {
            act(.close(WebSocketClosure(code: violation.code, reason: violation.message, isByPeer: false)))
            hasSentClose = true
        }
        finish(origin.violated(violation))
    }

    private mutating func begin(ending error: NetError, isCertain: Bool) {
        state = .ending(error, isCertain: isCertain)
        queue = []
        guard isCertain else { return setDeadline(Self.endTimeout) }
        releaseSenders(error)
        if canReceive { askForMore() } else { finish(error) }
    }

    mutating func endTimeoutPassed(_ error: NetError, isCertain: Bool) {
        if !isCertain, canReceive, !isReceiving {
            begin(ending: error, isCertain: true)
        } else {
            finish(error)
        }
    }

    // MARK: This side

    /// Performs the closing handshake. Returns the task to wait with; nil if the connection has ended.
    mutating func close(_ closure: WebSocketClosure) -> Waiters.ID? {
        switch state {
        case .open:
            state = .closing(closure)
            let error = endOfSending
            for sender in suspended { act(.resume(sender.id, .failed(error))) }
            suspended = []
            setDeadline(Self.closeTimeout)
            sendNext()
            askForMore()
        case .closing: break
        case .ending(let error, _): finish(error)
        case .connecting, .ended: break
        }
        if case .closing = state {} else { return nil }
        let id = waiters.register()
        closers.append(id)
        return id
    }

    /// Ends a closing handshake immediately, because the caller that waited for it was cancelled.
    mutating func endClosing() {
        guard case .closing(let closure) = state else { return drop() }
        finish(origin.unconfirmed(closure, peer: Self.peer))
    }

    /// Ends the connection immediately, without a closing handshake.
    mutating func drop() {
        finish(origin.lost("the connection was dropped here"), cancels: true)
    }

    /// Ends the connection or the attempt, because the transport ends.
    mutating func shutDown() {
        let error = origin.error(.shutdown, phase: .waiting, message: "the transport was shut down")
        switch state {
        case .connecting: failOpening(error)
        case .open, .closing, .ending: finish(error, cancels: true)
        case .ended: break
        }
    }

    /// Handles the cancellation of a waiting task. A message that was waiting isn't sent.
    mutating func cancelled(_ id: Waiters.ID) {
        func end(_ phase: NetError.Phase, _ message: String) -> Outcome {
            .failed(origin.error(.cancelled, phase: phase, message: message))
        }
        if id == opener {
            failOpening(origin.error(.cancelled, phase: .connecting, message: "opening the WebSocket was cancelled"))
        } else if id == receiver {
            resume(\.receiver, end(.receiving, "receiving was cancelled"))
        } else if let index = suspended.firstIndex(where: { $0.id == id }) {
            suspended.remove(at: index)
            act(.resume(id, end(.sending, "sending was cancelled while the peer was slow")))
        } else if let (number, _) = pings.first(where: { $0.value.waiter == id }) {
            pings[number] = nil
            act(.resume(id, end(.waiting, "waiting for a pong was cancelled")))
        }
    }

    // MARK: The end

    /// Ends the connection, once.
    ///
    /// - Parameter cancels: True to cancel the task even during a closing handshake. Otherwise a task in a closing
    ///   handshake has five seconds to end by itself, so that a close frame in transit isn't cut off.
    mutating func finish(_ error: NetError, cancels: Bool = false) {
        if case .ended = state { return }
        state = .ended(error)
        queue = []
        act(.report(.closed(error)))
        releaseSenders(error)
        resume(\.receiver, .done)
        for closer in closers { act(.resume(closer, .done)) }
        closers = []
        let isClosing = hasSentClose || error.code == .webSocketClosed
        if !isComplete, !cancels, isClosing { return setDeadline(Self.closeTimeout) }
        setDeadline(nil)
        if !isComplete { act(.cancel) }
    }

    private mutating func releaseSenders(_ error: NetError) {
        for sender in suspended { act(.resume(sender.id, .failed(error))) }
        for ping in pings.sorted(by: { $0.key < $1.key }) {
            if let waiter = ping.value.waiter { act(.resume(waiter, .failed(error))) }
        }
        (suspended, pings) = ([], [:])
    }
}
#endif
