#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore
internal import NetSocketCore

/// Sending, pings and liveness checks. URLSession gets one message at a time.
extension SocketTaskStateMachine {
    enum SendAction: Sendable {
        /// The message is in the send buffer.
        case taken
        case wait(Waiters.ID)
        case ended(NetError)
    }

    mutating func send(_ message: WebSocketMessage) -> SendAction {
        guard case .open = state else { return .ended(endOfSending) }
        if suspended.isEmpty, queuedBytes < settings.sendBufferBytes {
            enqueue(message)
            return .taken
        }
        let id = waiters.register()
        suspended.append((id, message))
        return .wait(id)
    }

    /// Handles the end of a send: URLSession has passed the message to the kernel, or has failed.
    mutating func sendFinished(_ error: NetError?) {
        guard let message = sending.take() else { return }
        queuedBytes -= message.count + Self.messageCost
        if let error {
            // The remaining messages can't be sent either.
            (queue, queuedBytes) = ([], 0)
            taskFailed(error)
        } else if queuedBytes <= settings.sendBufferBytes / 2 {
            admit()
        }
        sendNext()
    }

    /// Sends the application's probe to a silent peer, even if the send buffer is full.
    mutating func sendQuestion(_ message: WebSocketMessage) {
        if case .open = state { enqueue(message) }
    }

    private mutating func enqueue(_ message: WebSocketMessage) {
        queue.append(message)
        queuedBytes += message.count + Self.messageCost
        sendNext()
    }

    /// Takes the messages of suspended senders, in their order, while there is room.
    private mutating func admit() {
        guard case .open = state else { return }
        let count = suspended.count
        var taken = 0
        while taken < count, queuedBytes < settings.sendBufferBytes {
            let (id, message) = suspended[taken]
            taken += 1
            enqueue(message)
            act(.resume(id, .done))
        }
        suspended.removeFirst(taken)
    }

    /// Passes the next message to URLSession, and the close frame after the last one.
    mutating func sendNext() {
        guard sending == nil else { return }
        if let message = queue.popFirst() {
            sending = message
            act(.send(message))
        } else if case .closing(let closure) = state, !hasSentClose {
            hasSentClose = true
            act(.close(closure))
        }
    }

    /// The error for sending on a connection that has ended, is ending or is being closed.
    var endOfSending: NetError {
        var closure: WebSocketClosure?
        switch state {
        case .ending(let error, _), .ended(let error): return error
        case .closing(let begun): closure = begun
        case .connecting, .open: break
        }
        return origin.error(
            .webSocketClosed, phase: .sending, message: "the WebSocket is being closed here", closure: closure)
    }

    // MARK: Pings

    mutating func ping(now: Duration) -> SendAction {
        guard case .open = state else { return .ended(endOfSending) }
        let id = waiters.register()
        sendPing(waiter: id, now: now)
        return .wait(id)
    }

    private mutating func sendPing(waiter: Waiters.ID?, now: Duration) {
        lastPing += 1
        pings[lastPing] = (now, waiter)
        act(.sendPing(lastPing))
        askForMore()
    }

    /// Handles the pong of a ping. A failed ping gets the reason of the end, once that is known.
    mutating func pongArrived(_ number: UInt64, _ error: NetError?, now: Duration) {
        if let error { return taskFailed(error) }
        lastSign = now
        guard let ping = pings.removeValue(forKey: number) else { return }
        act(.report(.roundTrip(now - ping.start)))
        if let waiter = ping.waiter { act(.resume(waiter, .answered(now - ping.start))) }
    }

    /// Handles the deadline of a connection that is open.
    mutating func checkLiveness(now: Duration) {
        guard let liveness = settings.liveness else { return }
        watch?.byteArrived(now: lastSign)
        switch watch?.deadlinePassed(now: now, isPaused: canReceive && !isReceiving) {
        case .wait(let time): setDeadline(time)
        case .probe(let grace):
            setDeadline(grace)
            switch liveness.probe {
            case .ping:
                // Replaces an earlier ping whose pong hasn't arrived.
                pings = pings.filter { $0.value.waiter != nil }
                sendPing(waiter: nil, now: now)
            case .message(let make): act(.ask(make))
            }
        case .dead: finish(origin.lost(SocketOrigin.silence(of: Self.peer, liveness)), cancels: true)
        case nil: break
        }
    }
}
#endif
