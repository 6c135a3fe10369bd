internal import NetCore
internal import NetSocketCore

/// Sending, pings, and the detection of a silent peer.
extension PairEndState {
    /// Sends messages until `room` bytes are used; returns their number. The last one may exceed it.
    mutating func send(_ messages: ArraySlice<WebSocketMessage>, room: Int) -> Int {
        var (sent, size) = (0, 0)
        for message in messages {
            guard size < room else { break }
            send(message)
            size += message.count
            sent += 1
        }
        return sent
    }

    mutating func send(_ message: WebSocketMessage, compression: MessageCompression = .automatic) {
        endpoint.send(message, compression: compression)
        report { $0.record(.sent, message) }
    }

    mutating func send(_ frame: PartSender.Frame) {
        endpoint.send(part: frame)
        report {
            $0.record(part: frame.bytes, of: frame.opcode == .text ? .text : .binary, isLast: frame.isFinal)
        }
    }

    mutating func endParts() {
        isInParts = false
        effects.wakesSenders = true
    }

    /// Passes the bytes to send through the faults.
    mutating func takeOutgoing() -> [Bytes] {
        let outcome = endpoint.takeOutgoing { faults.write($0) }
        if outcome.failure != .silence { effects.failure = outcome.failure ?? effects.failure }
        return outcome.chunks
    }

    // MARK: Pings

    /// Sends a ping. Returns nil if nothing can be sent any more.
    mutating func beginPing(now: Duration) -> Pings.Ping? {
        guard isAccepting else { return nil }
        let ping = pings.begin(now: now)
        sendPing(ping.payload)
        // A paused reader must continue, because the pong may be behind unread bytes.
        resumeReading()
        return ping
    }

    /// Handles the deadline of an open connection.
    mutating func checkLiveness(now: Duration) {
        guard let liveness = settings.liveness else { return }
        watch?.byteArrived(now: lastByte)
        switch watch?.deadlinePassed(now: now, isPaused: isReadingPaused) {
        case .wait(let time): setDeadline(after: time)
        case .probe(let grace):
            setDeadline(after: grace)
            switch liveness.probe {
            case .ping: sendPing(pings.beginUnawaited(now: now))
            case .message(let make): effects.question = make
            }
        case .dead: drop(SocketOrigin.silence(of: settings.peer, liveness))
        case nil: break
        }
    }

    /// Sends the application's probe message, or a ping if a message in parts is in progress.
    mutating func ask(_ question: WebSocketMessage, now: Duration) {
        guard isAccepting else { return }
        if isInParts { sendPing(pings.beginUnawaited(now: now)) } else { send(question) }
    }

    private mutating func sendPing(_ payload: Bytes) {
        endpoint.send(.ping, payload)
        report { $0.record(.sent, .ping, bytes: payload.count) }
    }
}
