internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The server's end of an in-memory WebSocket.
final class MockWebSocketPeer: WebSocketPeer {
    let request: StubRequest
    let subprotocol: String?
    let socket: MockSocket
    private let maximumMessageBytes: Int
    /// The items that have arrived and haven't been handled. A close frame waits until the messages before it have been
    /// taken.
    private let arrived = Mutex<[MockSocket.Item]>([])

    /// The limit of the messages that a log keeps, in bytes.
    private static let loggedBytes = 1 << 20

    init(_ socket: MockSocket, request: StubRequest, subprotocol: String?, maximumMessageBytes: Int) {
        self.socket = socket
        self.request = request
        self.subprotocol = subprotocol
        self.maximumMessageBytes = maximumMessageBytes
    }

    var clock: NetClock { socket.clock }
    var phase: WebSocketPhase { socket.state.withLock { $0.phase } }

    // MARK: Receiving

    func receive() async throws -> WebSocketMessage? {
        while true {
            while let item = arrived.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                if let message = handle(item) { return message }
            }
            guard try await readSome() else { return nil }
        }
    }

    func receiveAll() async throws -> [WebSocketMessage]? {
        guard let first = try await receive() else { return nil }
        var messages = [first]
        while let item = arrived.withLock({ $0.first?.isClose ?? true ? nil : $0.removeFirst() }) {
            if let message = handle(item) { messages.append(message) }
        }
        return messages
    }

    /// Waits for more items. Returns false if no more can arrive.
    private func readSome() async throws -> Bool {
        if phase.isOver { return false }
        if socket.state.withLock({ $0.isDeaf }) { try await stall() }
        do throws(MessagePipe<MockSocket.Item>.Refusal) {
            guard let items = try await socket.toPeer.receive() else { return false }
            arrived.withLock { $0 += items }
            return true
        } catch {
            guard error == .busy else { throw CancellationError() }
            throw WebSocketPeerFailure(description: "another task of the stub receives already")
        }
    }

    private func handle(_ item: MockSocket.Item) -> WebSocketMessage? {
        switch item {
        case .message(let message):
            guard message.count <= maximumMessageBytes else {
                refuse(message)
                return nil
            }
            socket.state.withLock { $0.log.note(message, limit: Self.loggedBytes) }
            return message
        case .ping(let id):
            socket.state.withLock { $0.answerPing(id) }?.resume()
        case .close(let closure):
            socket.state.withLock { $0.log.closure = WebSocketClosure(code: closure.code, reason: closure.reason) }
            socket.closed(closure)
        }
        return nil
    }

    private func refuse(_ message: WebSocketMessage) {
        let text = "a message of \(message.count) bytes is larger than \(maximumMessageBytes)"
        socket.state.withLock { state in
            state.log.violation = text
            state.log.closure = WebSocketClosure(code: .messageTooBig, reason: text, isByPeer: false)
        }
        socket.closed(WebSocketClosure(code: .messageTooBig, reason: text), phase: .violated(text))
    }

    // MARK: Sending

    func send(contentsOf messages: [WebSocketMessage]) async throws {
        for message in messages {
            try await checkIsOpen()
            guard message.count <= socket.maximumMessageBytes else {
                let text = "a message of \(message.count) bytes is larger than \(socket.maximumMessageBytes)"
                return socket.violated(.messageTooBig, text)
            }
            do throws(MessagePipe<WebSocketMessage>.Refusal) {
                try await socket.toClient.send(message, bytes: message.count)
            } catch {
                if error == .cancelled { throw CancellationError() }
                throw Self.isGone
            }
        }
    }

    func send(fragments: [Bytes], isText: Bool) async throws {
        let whole = Bytes(fragments.flatMap { Array($0) })
        guard isText else { return try await send(contentsOf: [.binary(whole)]) }
        guard let text = String(validating: whole, as: UTF8.self) else {
            return socket.violated(.invalidPayload, "a text is not valid UTF-8")
        }
        try await send(contentsOf: [.text(text)])
    }

    func send(raw bytes: Bytes) async throws {
        try await checkIsOpen()
        socket.violated(.protocolError, "\(bytes.count) raw bytes are no frame; a WebSocket in memory has none")
    }

    func ping(_ payload: Bytes) async throws {
        try await checkIsOpen()
        socket.state.withLock { $0.log.pongs += 1 }
    }

    func pong(_ payload: Bytes) async throws { try await checkIsOpen() }

    // MARK: The end

    func close(_ code: WebSocketCloseCode, reason: String) async throws {
        let closure = WebSocketClosure(code: code, reason: reason, isByPeer: false)
        guard socket.state.withLock({ $0.peerCloses(closure) }) else { return }
        guard code.isValidOnWire || code == .noStatusReceived else {
            return socket.violated(.protocolError, "the close code \(code) may not be sent")
        }
        // The client responds automatically, so the handshake is complete immediately.
        socket.closed(WebSocketClosure(code: code, reason: reason))
    }

    func drop(_ form: ConnectionDrop.Form) async {
        guard form != .stall else { return socket.state.withLock { $0.becomeDeaf() } }
        let how = form == .close ? "the server ended the connection" : "the server reset the connection"
        socket.lost(how, phase: .dropped)
    }

    func stall() async throws {
        let socket = socket
        try await CancellableWork.run { await socket.waitForEnd() }
    }

    private static let isGone = WebSocketPeerFailure(description: "the client has ended the connection")

    private func checkIsOpen() async throws {
        try Task.checkCancellation()
        if socket.state.withLock({ $0.isDeaf }) { try await stall() }
        if socket.state.withLock({ $0.ending != nil }) { throw Self.isGone }
    }
}

extension MockSocket.Item {
    fileprivate var isClose: Bool { if case .close = self { true } else { false } }
}
