#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// Reading from the socket into the inbox. Everything runs on the loop's thread.
extension SocketDriver {
    /// Reads until the kernel has no more bytes, the inbox is full, or it is other connections' turn.
    func read(_ stream: ByteStream) {
        readTurn(stream)
        // Deliver in every case: all connections of the loop share the batch.
        deliver()
        decoder.rest()
    }

    private func readTurn(_ stream: ByteStream) {
        var count = 0
        while !stream.isClosed {
            if isFull(), closing.takesMessages { return }
            let buffer = decoder.readBuffer()
            switch stream.read(into: buffer) {
            case .bytes(let size):
                lastByte.store(stream.now.inNanoseconds, ordering: .relaxed)
                guard take(size, of: buffer, stream) else { return }
                count += size
                if size < buffer.count, stream.isWritableAnywhere, !isEnding {
                    // A short read has emptied a plain socket; another call would only confirm that.
                    mayRead = false
                    return
                }
                if count >= Self.readsPerTurn {
                    stream.signal()
                    return
                }
            case .wouldBlock:
                mayRead = false
                return
            case .end: ended("the server closed the connection", stream)
            case .failed(let text): ended("the connection broke: \(text)", stream)
            }
        }
    }

    /// Returns true if reading must pause. While a pong is awaited, the inbox takes twice its limit, since the pong may
    /// be behind messages.
    private func isFull() -> Bool {
        guard inbox.withLock({ $0.pausesReading() }) else { return false }
        return !pings.withLock { $0.areAwaited } || inbox.withLock { $0.pausesReading(beyond: 2) }
    }

    private func take(_ size: Int, of buffer: UnsafeMutableRawBufferPointer, _ stream: ByteStream) -> Bool {
        if opening != nil { return receiveHandshake(UnsafeRawBufferPointer(rebasing: buffer[..<size]), stream) }
        return receiveFrames(stream, .inPlace(size))
    }

    /// Runs the decoder and handles its events. Returns false if the connection has been dropped.
    func receiveFrames(_ stream: ByteStream, _ input: Input) -> Bool {
        var violation: WebSocketViolation?
        do throws(WebSocketViolation) {
            switch input {
            case .inPlace(let count): try decoder.didRead(count, into: &memory.events)
            case .copied(let bytes): try receive(bytes)
            }
        } catch {
            violation = error
        }
        let (answers, close) = sortEvents()
        if answers { flush(stream) }
        if let (code, reason) = close { hold(.closed(code, reason), stream) }
        if let violation { hold(.violated(violation), stream) }
        return !stream.isClosed
    }

    /// Moves the decoder's messages to the batch, and handles pings and pongs. Returns whether there is a reply to
    /// send, and the close frame.
    private func sortEvents() -> (answers: Bool, close: (WebSocketCloseCode, String)?) {
        var close: (WebSocketCloseCode, String)?
        var answers = false
        let takesMessages = closing.takesMessages
        // Local variables, because the checks for exclusive access to properties took a tenth of a short message's
        // time.
        var (found, messages, bytes) = ([WebSocketEvent](), [WebSocketMessage](), 0)
        swap(&found, &memory.events)
        swap(&messages, &memory.batch)
        for event in found {
            switch event {
            case .message(let message):
                guard takesMessages else { continue }
                bytes += message.count
                messages.append(message)
            case .ping(let payload):
                outbox.withLock { $0.appendPong(payload) }
                recorder?.record(.received, .ping, bytes: payload.count)
                recorder?.record(.sent, .pong, bytes: payload.count)
                answers = true
            case .pong(let payload): receivePong(payload)
            case .close(let code, let reason):
                recorder?.record(.received, .close, bytes: reason.utf8.count + (code == .noStatusReceived ? 0 : 2))
                close = (code, reason)
            }
        }
        found.removeAll(keepingCapacity: true)
        swap(&found, &memory.events)
        swap(&messages, &memory.batch)
        batchBytes += bytes
        return (answers, close)
    }

    private func receivePong(_ payload: Bytes) {
        recorder?.record(.received, .pong, bytes: payload.count)
        guard let answer = pings.withLock({ $0.answer(payload, now: origin.clock.now()) }) else { return }
        if let time = answer.time { recorder?.roundTrip(time) }
        for waiter in answer.waiters { waiter.resume() }
    }

    private func receive(_ bytes: Bytes) throws(WebSocketViolation) {
        try bytes.withUnsafeBytes { bytes throws(WebSocketViolation) in try decoder.receive(bytes, into: &memory.events)
        }
    }

    func deliver() {
        guard !memory.batch.isEmpty else { return }
        recorder?.record(.received, memory.batch)
        let receiver = inbox.withLock { $0.append(&memory.batch, bytes: batchBytes) }
        batchBytes = 0
        outbox.withLock { $0.grantReplyCredit() }
        receiver?.resume()
    }

    func ended(_ message: String, _ stream: ByteStream) {
        deliver()
        if held != nil { endHeld(stream) }
        guard !stream.isClosed else { return }
        if opening?.machine.isRefused == true {
            finishRefusal(stream)
        } else if opening != nil {
            let hint = stream.target.isSecure ? "" : "; one that expects TLS does this too: is this a port for wss?"
            stopOpening(
                stream,
                with: origin.error(
                    .connectionLost, phase: .waiting,
                    message: "\(message) before it responded to the opening handshake\(hint)"))
        } else {
            perform(closing.transportEnded(decoder.isMidMessage ? "\(message) inside a message" : message), stream)
        }
    }
}
#endif
