#if Server
internal import NIOCore
internal import NetCore
internal import NetSocketCore
internal import NetTesting
internal import Synchronization

/// The server's end of a WebSocket on a real socket.
final class ServerWebSocketPeer: WebSocketPeer {
    let request: StubRequest
    let subprotocol: String?
    let clock: NetClock
    private let connection: WebSocketConnectionParts
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var decoder: MessageDecoder
        var frames = FrameBuffer(role: .server, maskKeys: MaskKeys())
        var inbox: [WebSocketMessage] = []
        var end: End?
        var phase = WebSocketPhase.open
    }

    /// An end that was read and not acted on yet.
    private enum End {
        case close(WebSocketCloseCode, String)
        case violation(WebSocketViolation)
    }

    init(
        _ connection: WebSocketConnectionParts, request: StubRequest, subprotocol: String?, maximumMessageBytes: Int,
        clock: NetClock
    ) {
        self.connection = connection
        self.request = request
        self.subprotocol = subprotocol
        self.clock = clock
        state = Mutex(State(decoder: MessageDecoder(role: .server, maximumMessageBytes: maximumMessageBytes)))
    }

    var phase: WebSocketPhase { state.withLock { $0.phase } }

    func receive() async throws -> WebSocketMessage? {
        while true {
            let message = state.withLock { $0.inbox.isEmpty ? nil : $0.inbox.removeFirst() }
            if let message { return message }
            guard try await readSome() else { return nil }
        }
    }

    func receiveAll() async throws -> [WebSocketMessage]? {
        while true {
            let messages = state.withLock { state in
                defer { state.inbox.removeAll() }
                return state.inbox
            }
            if !messages.isEmpty { return messages }
            guard try await readSome() else { return nil }
        }
    }

    func send(contentsOf messages: [WebSocketMessage]) async throws {
        try await write { frames in for message in messages { frames.append(message) } }
    }

    func send(fragments: [Bytes], isText: Bool) async throws {
        try await write { frames in
            for (index, part) in fragments.enumerated() {
                let opcode: Opcode = index > 0 ? .continuation : isText ? .text : .binary
                part.withUnsafeBytes {
                    frames.append(opcode, payload: $0, isFinal: index == fragments.count - 1)
                }
            }
        }
    }

    func send(raw bytes: Bytes) async throws {
        try await write { frames in bytes.withUnsafeBytes { frames.append(raw: $0) } }
    }

    func ping(_ payload: Bytes) async throws { try await control(.ping, payload) }

    func pong(_ payload: Bytes) async throws { try await control(.pong, payload) }

    func close(_ code: WebSocketCloseCode, reason: String) async throws {
        let isFirst = state.withLock { state in
            guard state.phase == .open else { return false }
            state.phase = .closing(WebSocketClosure(code: code, reason: reason, isByPeer: false))
            return true
        }
        guard isFirst else { return }
        try await write { $0.appendClose(code, reason: reason) }
        let limit = connection.channel.eventLoop.scheduleTask(in: .seconds(5)) { [queue = connection.queue] in
            queue.finish()
        }
        defer { limit.cancel() }
        while try await readSome() { state.withLock { $0.inbox.removeAll() } }
    }

    func drop(_ form: ConnectionDrop.Form) async {
        state.withLock { if !$0.phase.isOver { $0.phase = .dropped } }
        guard form != .stall else { return await connection.channel.becomeDeaf() }
        await connection.channel.endAbruptly(resets: form != .close)
    }

    func stall() async throws {
        try await connection.channel.closeFuture.get()
    }

    private func control(_ opcode: Opcode, _ payload: Bytes) async throws {
        let payload = payload.count > 125 ? payload[0..<125] : payload
        try await write { frames in payload.withUnsafeBytes { frames.append(opcode, payload: $0) } }
    }

    /// Puts frames on the wire in the order of the calls; returns when the kernel has them.
    private func write(_ fill: (inout FrameBuffer) -> Void) async throws {
        let written = state.withLock { state in
            fill(&state.frames)
            let count = state.frames.count
            var buffer = connection.channel.allocator.buffer(capacity: count)
            state.frames.withPending { _ = buffer.writeBytes($0) }
            state.frames.consume(count)
            return connection.channel.writeAndFlush(buffer)
        }
        try await written.get()
    }
}

extension ServerWebSocketPeer {
    /// Reads what comes next. False once nothing can come any more.
    ///
    /// An end waits until the messages before it are taken, so that an echo can answer them: nothing may follow a close
    /// frame.
    private func readSome() async throws -> Bool {
        if phase.isOver { return false }
        switch state.withLock({ $0.end.take() }) {
        case .close(let code, let reason): try await finish(code, reason)
        case .violation(let violation): try await refuse(violation)
        case nil:
            guard let part = await connection.queue.next() else {
                state.withLock { if !$0.phase.isOver { $0.phase = .lost } }
                return false
            }
            guard case .body(let bytes) = part else { return true }
            let (events, violation) = decode(bytes)
            connection.log(events)
            for event in events { try await handle(event) }
            if let violation { state.withLock { $0.end = .violation(violation) } }
        }
        return !phase.isOver
    }

    private func decode(_ bytes: Bytes) -> ([WebSocketEvent], WebSocketViolation?) {
        state.withLock { state in
            var events: [WebSocketEvent] = []
            let violation = bytes.withUnsafeBytes { bytes -> WebSocketViolation? in
                do throws(WebSocketViolation) {
                    try state.decoder.receive(bytes, into: &events)
                    return nil
                } catch {
                    return error
                }
            }
            return (events, violation)
        }
    }

    private func handle(_ event: WebSocketEvent) async throws {
        switch event {
        case .message(let message): state.withLock { $0.inbox.append(message) }
        case .ping(let payload): try await pong(payload)
        case .pong: break
        case .close(let code, let reason): state.withLock { $0.end = .close(code, reason) }
        }
    }

    private func finish(_ code: WebSocketCloseCode, _ reason: String) async throws {
        let phase = state.withLock { state in
            defer { state.phase = .closed }
            return state.phase
        }
        if case .closing(let closure) = phase {
            connection.log(closure)
        } else {
            connection.log(WebSocketClosure(code: code, reason: reason, isByPeer: true))
            // A client that is gone already has what it wants.
            try? await write { $0.appendClose(code, reason: reason) }
        }
    }

    private func refuse(_ violation: WebSocketViolation) async throws {
        connection.log(violation)
        state.withLock { $0.phase = .violated(violation.message) }
        try await write { $0.appendClose(violation.code, reason: violation.message) }
    }
}
#endif
