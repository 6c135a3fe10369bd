#if os(Linux)
internal import NetCore
internal import NetCurl
internal import NetSocketCore
internal import Synchronization

/// Messages that go out in parts (RFC 6455 section 5.4): each part is a frame, sent when it is there.
extension CurlWebSocketLink {
    func send(
        partsOf kind: WebSocketMessage.Kind, compression: MessageCompression,
        next: () async throws(NetError) -> Bytes?
    ) async throws(NetError) {
        try await append { $0.beginParts() }
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
        try await append {
            $0.append(
                part: frame.bytes, of: frame.kind == .text ? .text : .binary, isFirst: frame.isFirst,
                isFinal: frame.isFinal, frame.compression)
        }
        driver.recorder?.record(
            .sent, frame.kind == .text ? .text : .binary, bytes: frame.bytes.count, isLast: frame.isFinal)
    }

    /// A message that has begun can't be taken back: the peer would take the next one for its continuation.
    private func abandonMessage() {
        let closure = WebSocketClosure(code: .internalError, reason: "a message broke off", isByPeer: false)
        if driver.outbox.withLock({ $0.requestClose(closure) }) { stream.signal() }
    }

    private func endParts() {
        for waiter in driver.outbox.withLock({ $0.endParts() }) { waiter.resume() }
    }
}

/// The frames of a message in parts, which are UTF-8 together if it is text.
private struct PartSender {
    struct Frame {
        var bytes: Bytes
        var kind: WebSocketMessage.Kind
        var isFirst: Bool
        var isFinal: Bool
        var compression: MessageCompression
    }

    private let kind: WebSocketMessage.Kind
    private let compression: MessageCompression
    private var text = UTF8Check()
    private(set) var hasBegun = false

    init(_ kind: WebSocketMessage.Kind, _ compression: MessageCompression) {
        self.kind = kind
        self.compression = compression
    }

    mutating func frame(_ part: Bytes) throws(NetError) -> Frame {
        if kind == .text, !part.withUnsafeBytes({ text.accepts($0) }) { throw NetError.textIsNotUTF8 }
        return frame(part, isFinal: false)
    }

    mutating func lastFrame() throws(NetError) -> Frame {
        if kind == .text, !text.isComplete { throw NetError.textIsNotUTF8 }
        return frame(Bytes(), isFinal: true)
    }

    private mutating func frame(_ bytes: Bytes, isFinal: Bool) -> Frame {
        defer { hasBegun = true }
        return Frame(
            bytes: bytes, kind: kind, isFirst: !hasBegun, isFinal: isFinal,
            compression: compression)
    }
}
#endif
