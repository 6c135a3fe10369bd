package import NetCore

/// One end of a WebSocket without its I/O: bytes of the peer become messages and answers, messages become bytes.
///
/// It answers pings and the peer's close frame, and it keeps an end until the messages before it were taken, so that an echo
/// can answer them: nothing may follow a close frame (RFC 6455 section 5.5.1).
///
/// | phase | close here | close of the peer | violation | transport ends |
/// |---|---|---|---|---|
/// | open | close frame: closing | held, then answered: closed | held, then close frame: violated | lost |
/// | closing | – | closed | violated | lost |
/// | over | – | – | – | – |
package struct SocketEndpoint: ~Copyable, Sendable {
    /// An end that was acted on, for a log.
    package enum End: Sendable, Equatable {
        case closed(WebSocketClosure)
        case violated(WebSocketViolation)
    }

    /// An end that was read and not acted on yet.
    private enum Held {
        case close(WebSocketCloseCode, String)
        case violation(WebSocketViolation)
    }

    package private(set) var phase = WebSocketPhase.open
    private var decoder: MessageDecoder
    private var frames: FrameBuffer
    private var inbox: [WebSocketMessage] = []
    private var held: Held?

    /// Creates an open end.
    ///
    /// - Parameters:
    ///   - role: The side of the WebSocket that this is.
    ///   - maximumMessageBytes: The maximum size of a message of the peer.
    ///   - compression: The compression that both sides agreed on; nil for none.
    ///   - pool: The streams of compression that endpoints share. Default: its own.
    package init(
        role: WebSocketRole, maximumMessageBytes: Int, compression: WebSocketCompression? = nil,
        pool: DeflatePool = DeflatePool(), random: NetRandom = .system
    ) {
        decoder = MessageDecoder(role: role, maximumMessageBytes: maximumMessageBytes)
        frames = FrameBuffer(role: role, maskKeys: MaskKeys(random))
        guard let compression else { return }
        decoder.startInflating(compression, pool: pool)
        frames.startCompressing(compression, pool: pool)
    }

    /// True if an end was read that ``endIfHeld()`` hasn't acted on.
    package var isEndHeld: Bool { held != nil }

    /// True if the peer's bytes end within a frame or a fragmented message.
    package var isMidMessage: Bool { decoder.isMidMessage }

    // MARK: Receiving

    /// Takes the next message that has arrived.
    package mutating func takeMessage() -> WebSocketMessage? { inbox.isEmpty ? nil : inbox.removeFirst() }

    /// Takes all messages that have arrived.
    package mutating func takeMessages() -> [WebSocketMessage] {
        defer { inbox = [] }
        return inbox
    }

    /// Processes bytes of the peer, and returns what they were, for a log. Pings are answered.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        do throws(WebSocketViolation) {
            try decoder.receive(bytes, into: &events)
        } catch {
            held = .violation(error)
        }
        for event in events {
            switch event {
            case .message(let message): inbox.append(message)
            // Nothing may follow a close frame.
            case .ping(let payload): if phase == .open { send(.pong, payload) }
            case .pong: break
            case .close(let code, let reason): held = .close(code, reason)
            }
        }
        return events
    }

    /// Acts on an end that was kept: everything before it was taken, and was answered if it is to be.
    package mutating func endIfHeld() -> End? {
        switch held.take() {
        case nil: return nil
        case .close(let code, let reason):
            defer { phase = .closed }
            if case .closing(let closure) = phase { return .closed(closure) }
            frames.appendClose(code, reason: reason)
            return .closed(WebSocketClosure(code: code, reason: reason, isByPeer: true))
        case .violation(let violation):
            phase = .violated(violation.message)
            frames.appendClose(violation.code, reason: violation.message)
            return .violated(violation)
        }
    }

    /// Records that nothing more can arrive.
    package mutating func transportEnded() { if !phase.isOver { phase = .lost } }

    /// Records that this side has ended the connection without a close frame.
    package mutating func wasDropped() { if !phase.isOver { phase = .dropped } }

    // MARK: Sending

    package mutating func send(_ message: WebSocketMessage, compression: MessageCompression = .automatic) {
        frames.append(message, compression: compression)
    }

    /// Sends a message in as many frames as there are parts.
    package mutating func send(parts: [Bytes], isText: Bool) {
        for (index, part) in parts.enumerated() {
            part.withUnsafeBytes {
                frames.append(
                    part: $0, of: isText ? .text : .binary, isFirst: index == 0, isFinal: index == parts.count - 1)
            }
        }
    }

    /// Sends one part of a message.
    package mutating func send(part frame: PartSender.Frame) {
        frame.bytes.withUnsafeBytes {
            frames.append(
                part: $0, of: frame.opcode, isFirst: frame.isFirst, isFinal: frame.isFinal,
                compression: frame.compression)
        }
    }

    /// Sends a ping or a pong; the payload is cut to 125 bytes.
    package mutating func send(_ opcode: Opcode, _ payload: Bytes) {
        let payload = payload.count > 125 ? payload[0..<125] : payload
        payload.withUnsafeBytes { frames.append(opcode, payload: $0) }
    }

    /// Sends bytes that need not be a frame.
    package mutating func send(raw bytes: Bytes) { bytes.withUnsafeBytes { frames.append(raw: $0) } }

    /// Begins the closing handshake. Returns false if an end has begun already.
    package mutating func close(_ code: WebSocketCloseCode, reason: String) -> Bool {
        guard phase == .open else { return false }
        phase = .closing(WebSocketClosure(code: code, reason: reason, isByPeer: false))
        frames.appendClose(code, reason: reason)
        return true
    }

    /// Begins the closing handshake with any code, even one that must not be sent, for a peer in a test. Only
    /// `.noStatusReceived` sends a frame without a code. Returns false if an end has begun already.
    package mutating func close(anyCode code: WebSocketCloseCode, reason: String) -> Bool {
        if code.isValidOnWire || code == .noStatusReceived { return close(code, reason: reason) }
        guard phase == .open else { return false }
        phase = .closing(WebSocketClosure(code: code, reason: reason, isByPeer: false))
        let payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(reason.utf8.prefix(123))
        payload.withUnsafeBytes { frames.append(.close, payload: $0) }
        return true
    }

    /// Calls `body` with the bytes to write, which are gone afterwards.
    package mutating func takeOutgoing<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        defer { frames.consume(frames.count) }
        return frames.withPending(body)
    }
}
