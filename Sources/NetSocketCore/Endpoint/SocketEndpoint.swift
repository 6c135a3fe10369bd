package import NetCore

/// One end of a WebSocket without its I/O: turns the peer's bytes into messages and protocol replies, and messages
/// into bytes.
///
/// Responds to pings and to the peer's close frame. It holds the peer's close frame until the messages before it have
/// been taken, so that they can still be replied to: no frame may follow a close frame (RFC 6455 section 5.5.1).
///
/// | phase | close here | close of the peer | violation | transport ends |
/// |---|---|---|---|---|
/// | open | close frame: closing | held, then echoed: closed | held, then close frame: violated | lost |
/// | closing | – | closed | violated | lost |
/// | over | – | – | – | – |
package struct SocketEndpoint: ~Copyable, Sendable {
    /// An end that has been handled, for a log.
    package enum End: Sendable, Equatable {
        case closed(WebSocketClosure)
        case violated(WebSocketViolation)
    }

    /// An end that was received and hasn't been handled yet.
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
    ///   - role: The role of this side of the WebSocket.
    ///   - maximumMessageBytes: The maximum size of a message of the peer.
    ///   - compression: The negotiated compression; nil for none.
    ///   - pool: The compression streams that endpoints share. Default: its own.
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

    /// True if an end was received that ``endIfHeld()`` hasn't handled.
    package var isEndHeld: Bool { held != nil }

    /// True if the bytes received so far end within a frame or a fragmented message.
    package var isMidMessage: Bool { decoder.isMidMessage }

    // MARK: Receiving

    /// Removes and returns the next message that has arrived.
    package mutating func takeMessage() -> WebSocketMessage? { inbox.isEmpty ? nil : inbox.removeFirst() }

    /// Removes and returns all messages that have arrived.
    package mutating func takeMessages() -> [WebSocketMessage] {
        defer { inbox = [] }
        return inbox
    }

    /// Processes bytes of the peer, and returns their events for a log. Responds to pings.
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
            // No frame may follow a close frame.
            case .ping(let payload): if phase == .open { send(.pong, payload) }
            case .pong: break
            case .close(let code, let reason): held = .close(code, reason)
            }
        }
        return events
    }

    /// Handles a held end. Call it when all messages before the end have been taken and, if needed, replied to.
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

    /// Records that no more bytes can arrive.
    package mutating func transportEnded() { if !phase.isOver { phase = .lost } }

    /// Records that this side has ended the connection without a close frame.
    package mutating func wasDropped() { if !phase.isOver { phase = .dropped } }

    // MARK: Sending

    package mutating func send(_ message: WebSocketMessage, compression: MessageCompression = .automatic) {
        frames.append(message, compression: compression)
    }

    /// Sends a message with one frame for each part.
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

    /// Sends a ping or a pong; the payload is truncated to 125 bytes.
    package mutating func send(_ opcode: Opcode, _ payload: Bytes) {
        let payload = payload.count > 125 ? payload[0..<125] : payload
        payload.withUnsafeBytes { frames.append(opcode, payload: $0) }
    }

    /// Sends raw bytes, which needn't be a valid frame.
    package mutating func send(raw bytes: Bytes) { bytes.withUnsafeBytes { frames.append(raw: $0) } }

    /// Starts the closing handshake. Returns false if the connection is already ending.
    package mutating func close(_ code: WebSocketCloseCode, reason: String) -> Bool {
        guard phase == .open else { return false }
        phase = .closing(WebSocketClosure(code: code, reason: reason, isByPeer: false))
        frames.appendClose(code, reason: reason)
        return true
    }

    /// Starts the closing handshake with any code, even one that must not be sent, for a peer in a test. Only
    /// `.noStatusReceived` sends a frame without a code. Returns false if the connection is already ending.
    package mutating func close(anyCode code: WebSocketCloseCode, reason: String) -> Bool {
        if code.isValidOnWire || code == .noStatusReceived { return close(code, reason: reason) }
        guard phase == .open else { return false }
        phase = .closing(WebSocketClosure(code: code, reason: reason, isByPeer: false))
        let payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(reason.utf8.prefix(123))
        payload.withUnsafeBytes { frames.append(.close, payload: $0) }
        return true
    }

    /// Calls `body` with the bytes to write, which are removed afterward.
    package mutating func takeOutgoing<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        defer { frames.consume(frames.count) }
        return frames.withPending(body)
    }
}
