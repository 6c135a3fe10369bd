internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The server's end of an in-memory WebSocket, which reads only when the test or the stub does.
final class MockWebSocketPeer: WebSocketPeer {
    let request: StubRequest
    let subprotocol: String?
    let end: PairEnd

    init(_ end: PairEnd, request: StubRequest, subprotocol: String?) {
        self.end = end
        self.request = request
        self.subprotocol = subprotocol
    }

    var compression: WebSocketCompression? { end.settings.compression }
    var clock: NetClock { end.clock }

    // MARK: Receiving

    func receive() async throws -> WebSocketMessage? {
        while true {
            if let message = end.change({ $0.takeFirst() }) { return message }
            guard try await readSome() else { return nil }
        }
    }

    func receiveAll() async throws -> [WebSocketMessage]? {
        while true {
            let messages = end.change { $0.takeInbox() }
            if !messages.isEmpty { return messages }
            guard try await readSome() else { return nil }
        }
    }

    /// Reads the next chunk, after acting on an end that was held. Returns false if nothing can arrive any more.
    private func readSome() async throws -> Bool {
        if end.state.withLock({ $0.isDeaf }) {
            try await stall()
            return false
        }
        end.change { $0.actOnHeldEnd() }
        do throws(MessagePipe<Bytes>.Refusal) {
            return try await end.readSome()
        } catch {
            if error == .cancelled { throw CancellationError() }
            guard !end.state.withLock({ $0.endpoint.phase == .open }) else {
                throw WebSocketPeerFailure(description: "another task of the stub is already receiving")
            }
            // The closing handshake does the reading.
            try await waitUntilOver()
            return false
        }
    }

    // MARK: Sending

    func send(contentsOf messages: [WebSocketMessage]) async throws {
        var rest = messages[...]
        while !rest.isEmpty {
            let part = rest
            rest = rest.dropFirst(try await append { state, room in state.send(part, room: room) })
        }
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

    private func write(_ body: (inout SocketEndpoint) -> Void) async throws {
        try await append { state, _ in
            body(&state.endpoint)
            return 1
        }
    }

    /// Retries until there is room. Throws if the client is gone.
    @discardableResult
    private func append(_ body: (inout PairEndState, _ room: Int) -> Int) async throws -> Int {
        while true {
            if end.state.withLock({ $0.isDeaf }) { try await stall() }
            guard !end.outgoing.hasEnded else { throw Self.isGone }
            try Task.checkCancellation()
            switch end.send(body) {
            case .taken(let count): return count
            case .wait(let id): await end.outgoing.wait(id)
            case .ended: throw Self.isGone
            }
        }
    }

    private static let isGone = WebSocketPeerFailure(description: "the client ended the connection")

    // MARK: The end

    /// Also returns if the client has received the close frame but responds to it only after its messages: a test that
    /// acts as both sides would otherwise wait for itself.
    func close(_ code: WebSocketCloseCode, reason: String) async throws {
        let isDeaf = end.state.withLock { $0.isDeaf }
        let closure = WebSocketClosure(code: code, reason: reason, isByPeer: false)
        guard !isDeaf, end.change({ $0.close(closure) }) else { return }
        let end = end
        end.tasks.adopt(Task { while (try? await end.readSome()) == true {} })
        try await end.outgoing.waitForEnd(orHold: true)
        // The client has responded; only its response is left to read.
        if end.outgoing.hasEnded { try? await waitUntilOver() }
    }

    func drop(_ form: ConnectionDrop.Form) async {
        guard form != .stall else { return end.state.withLock { $0.isDeaf = true } }
        end.change { $0.drop("the server ended the connection", resets: form != .close) }
    }

    func stall() async throws { try await end.outgoing.waitForEnd() }

    /// Waits until this end is over. Throws `CancellationError` if the task is cancelled before.
    private func waitUntilOver() async throws {
        guard let id = end.state.withLock({ $0.waitForEnd() }) else { return }
        await end.wait(id)
        if end.ending == nil { throw CancellationError() }
    }
}
