#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// Reading from the socket into the inbox. Everything runs on the loop's thread.
extension SocketDriver {
    /// Reads until the kernel has no more bytes, the inbox is full, or other connections should have their turn.
    func read(_ stream: ByteStream) {
        var count = 0
        while !stream.isClosed {
            if inbox.withLock({ $0.pausesReading() }), closing.takesMessages { return }
            let buffer = decoder.readBuffer()
            switch stream.read(into: buffer) {
            case .bytes(let size):
                guard take(size, of: buffer, stream) else { return }
                count += size
                if size < buffer.count, stream.isWritableAnywhere, !isEnding {
                    // A short read has emptied a plain socket; another call would only confirm that.
                    mayRead = false
                    deliver()
                    return
                }
                if count >= Self.readsPerTurn {
                    deliver()
                    stream.signal()
                    return
                }
            case .wouldBlock:
                mayRead = false
                deliver()
                return
            case .end: ended("the server closed the connection", stream)
            case .failed(let text): ended("the connection broke: \(text)", stream)
            }
        }
    }

    private func take(_ size: Int, of buffer: UnsafeMutableRawBufferPointer, _ stream: ByteStream) -> Bool {
        if handshake != nil { return receiveHandshake(UnsafeRawBufferPointer(rebasing: buffer[..<size]), stream) }
        return receiveFrames(stream, .inPlace(size))
    }

    /// Runs the decoder and handles its events. Returns false if the connection has been dropped.
    func receiveFrames(_ stream: ByteStream, _ input: Input) -> Bool {
        var violation: WebSocketViolation?
        do throws(WebSocketViolation) {
            switch input {
            case .inPlace(let count): try decoder.didRead(count, into: &events)
            case .copied(let bytes): try receive(bytes)
            }
        } catch {
            violation = error
        }
        let (answers, close) = sortEvents()
        if answers { flush(stream) }
        if close != nil || violation != nil { deliver() }
        if let (code, reason) = close { perform(closing.receivedClose(code, reason: reason), stream) }
        if let violation { perform(closing.violated(violation), stream) }
        return !stream.isClosed
    }

    /// Moves the decoder's messages to the batch, and handles pings and pongs. Returns true if there is something to
    /// respond to, and the close frame.
    private func sortEvents() -> (answers: Bool, close: (WebSocketCloseCode, String)?) {
        var close: (WebSocketCloseCode, String)?
        var answers = false
        let takesMessages = closing.takesMessages
        // Local variables, because the checks for exclusive access to properties took a tenth of a short message's
        // time.
        var (found, messages, bytes) = ([WebSocketEvent](), [WebSocketMessage](), 0)
        swap(&found, &events)
        swap(&messages, &batch)
        for event in found {
            switch event {
            case .message(let message):
                guard takesMessages else { continue }
                bytes += message.count
                messages.append(message)
            case .ping(let payload):
                outbox.withLock { $0.appendPong(payload) }
                answers = true
            case .pong(let payload):
                pings.withLock { $0.answer(payload, now: context.environment.clock.now()) }?.resume()
            case .close(let code, let reason): close = (code, reason)
            }
        }
        found.removeAll(keepingCapacity: true)
        swap(&found, &events)
        swap(&messages, &batch)
        batchBytes += bytes
        return (answers, close)
    }

    private func receive(_ bytes: Bytes) throws(WebSocketViolation) {
        try bytes.withUnsafeBytes { bytes throws(WebSocketViolation) in try decoder.receive(bytes, into: &events) }
    }

    private func deliver() {
        guard !batch.isEmpty else { return }
        let receiver = inbox.withLock { $0.append(&batch, bytes: batchBytes) }
        batchBytes = 0
        outbox.withLock { $0.grantReplyCredit() }
        receiver?.resume()
    }

    func ended(_ message: String, _ stream: ByteStream) {
        deliver()
        if handshake?.isRefused == true {
            finishRefusal(stream)
        } else if handshake != nil {
            stopOpening(
                stream,
                with: context.error(
                    .connectionLost, phase: .waiting, message: "\(message) before it answered the opening handshake"))
        } else {
            perform(closing.transportEnded(decoder.isMidMessage ? "\(message) inside a message" : message), stream)
        }
    }
}
#endif
