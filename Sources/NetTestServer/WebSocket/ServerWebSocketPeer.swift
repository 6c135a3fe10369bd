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
    let compression: WebSocketCompression?
    let clock: NetClock
    private let connection: WebSocketConnectionParts
    private let endpoint: Mutex<SocketEndpoint>

    init(
        _ connection: WebSocketConnectionParts, request: StubRequest, answer: ServerHandshake.Answer,
        maximumMessageBytes: Int, clock: NetClock
    ) {
        self.connection = connection
        self.request = request
        subprotocol = answer.subprotocol
        compression = answer.compression
        self.clock = clock
        endpoint = Mutex(
            SocketEndpoint(
                role: .server, maximumMessageBytes: maximumMessageBytes, compression: answer.compression,
                pool: connection.core.deflatePool))
    }

    var phase: WebSocketPhase { endpoint.withLock { $0.phase } }

    func receive() async throws -> WebSocketMessage? {
        while true {
            if let message = endpoint.withLock({ $0.takeMessage() }) { return message }
            guard try await readSome() else { return nil }
        }
    }

    func receiveAll() async throws -> [WebSocketMessage]? {
        while true {
            let messages = endpoint.withLock { $0.takeMessages() }
            if !messages.isEmpty { return messages }
            guard try await readSome() else { return nil }
        }
    }

    func send(contentsOf messages: [WebSocketMessage]) async throws {
        try await write { endpoint in for message in messages { endpoint.send(message) } }
    }

    func send(_ message: WebSocketMessage, compression: MessageCompression) async throws {
        try await write { $0.send(message, compression: compression) }
    }

    func send(fragments: [Bytes], isText: Bool) async throws {
        try await write { $0.send(parts: fragments, isText: isText) }
    }

    func send(raw bytes: Bytes) async throws { try await write { $0.send(raw: bytes) } }

    func ping(_ payload: Bytes) async throws { try await write { $0.send(.ping, payload) } }

    func pong(_ payload: Bytes) async throws { try await write { $0.send(.pong, payload) } }

    func close(_ code: WebSocketCloseCode, reason: String) async throws {
        guard endpoint.withLock({ $0.close(anyCode: code, reason: reason) }) else { return }
        try await write { _ in }
        let limit = connection.channel.eventLoop.scheduleTask(in: .seconds(5)) { [queue = connection.queue] in
            queue.finish()
        }
        defer { limit.cancel() }
        while try await readSome() { endpoint.withLock { _ = $0.takeMessages() } }
    }

    func drop(_ form: ConnectionDrop.Form) async {
        endpoint.withLock { $0.wasDropped() }
        guard form != .stall else { return await connection.channel.becomeDeaf() }
        await connection.channel.endAbruptly(resets: form != .close)
    }

    func stall() async throws {
        try await connection.channel.closeFuture.get()
    }

    /// Writes bytes in the order of the calls; returns when the kernel has accepted them.
    private func write(_ fill: (inout SocketEndpoint) -> Void) async throws {
        try await endpoint.withLock { endpoint in
            fill(&endpoint)
            return flush(&endpoint)
        }.get()
    }

    private func flush(_ endpoint: inout SocketEndpoint) -> EventLoopFuture<Void> {
        endpoint.takeOutgoing { bytes in
            guard !bytes.isEmpty else { return connection.channel.eventLoop.makeSucceededVoidFuture() }
            var buffer = connection.channel.allocator.buffer(capacity: bytes.count)
            buffer.writeBytes(bytes)
            return connection.channel.writeAndFlush(buffer)
        }
    }

    /// Reads the next bytes. Returns false if nothing more can arrive.
    private func readSome() async throws -> Bool {
        if phase.isOver { return false }
        let (end, written) = endpoint.withLock { ($0.endIfHeld(), flush(&$0)) }
        if let end {
            connection.log(end)
            // A client that has disconnected needs no close frame.
            do { try await written.get() } catch { if case .violated = end { throw error } }
            return !phase.isOver
        }
        guard let part = await connection.queue.next() else {
            endpoint.withLock { $0.transportEnded() }
            return false
        }
        guard case .body(let bytes) = part else { return true }
        let (events, answers) = endpoint.withLock { endpoint in
            (bytes.withUnsafeBytes { endpoint.receive($0) }, flush(&endpoint))
        }
        connection.log(events)
        try await answers.get()
        return true
    }
}
#endif
