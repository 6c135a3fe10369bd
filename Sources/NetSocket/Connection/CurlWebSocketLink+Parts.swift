#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// Messages that are sent in parts (RFC 6455 section 5.4). Each part is a frame, sent when it becomes available.
extension CurlWebSocketLink {
    func send(
        partsOf kind: WebSocketMessage.Kind, compression: MessageCompression,
        next: () async throws(NetError) -> Bytes?
    ) async throws(NetError) {
        try await append({ $0.beginParts() })
        var sender = PartSender(kind, compression)
        do throws(NetError) {
            while let part = try await next() { try await send(sender.frame(part)) }
            try await send(sender.lastFrame())
        } catch {
            if sender.hasBegun { abandonMessage() }
            endParts()
            throw error
        }
        endParts()
    }

    private func send(_ frame: PartSender.Frame) async throws(NetError) {
        let kind: WebSocketMessage.Kind = frame.opcode == .text ? .text : .binary
        try await append(
            { outbox in
                outbox.append(
                    part: frame.bytes, of: frame.opcode, isFirst: frame.isFirst, isFinal: frame.isFinal,
                    frame.compression)
            }, record: { $0.record(part: frame.bytes, of: kind, isLast: frame.isFinal) })
    }

    /// Closes the WebSocket, since a message that has begun can't be taken back: the peer would treat the next message
    /// as its continuation.
    private func abandonMessage() {
        let closure = WebSocketClosure(
            code: .internalError, reason: "a message was not completed", isByPeer: false)
        if driver.outbox.withLock({ $0.requestClose(closure) }) { stream.signal() }
    }

    private func endParts() {
        for waiter in driver.outbox.withLock({ $0.endParts() }) { waiter.resume() }
    }
}
#endif
