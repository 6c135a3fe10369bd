#if Server
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NetCore
internal import NetSocketCore
internal import NetTesting
internal import Synchronization

/// One opening handshake and the resulting WebSocket.
struct WebSocketExchange: Sendable {
    let core: ServerCore
    let head: RequestHead
    let entry: Int
    let stub: WebSocketStub
    let parameters: [String: String]
    let channel: any Channel
    let queue: InboundQueue

    /// Creates an exchange; nil for a request that isn't a handshake, or if no stub matches its path.
    init?(core: ServerCore, head: RequestHead, connection: Int, channel: any Channel, queue: InboundQueue) {
        guard head.isWebSocketHandshake, let match = core.webSocket(for: head) else { return nil }
        self.core = core
        self.head = head
        self.channel = channel
        self.queue = queue
        (stub, parameters) = match
        let now = core.clock.now()
        entry = core.log.begin { number in
            LoggedRequest(number: number, connection: connection, stream: nil, head: head, start: now)
        }
    }

    /// Runs until the WebSocket has ended.
    func run() async {
        let answer: ServerHandshake.Answer
        do throws(ServerHandshake.Refusal) {
            answer = try ServerHandshake.accept(
                method: head.method, headers: head.headers, subprotocols: stub.subprotocols,
                compression: stub.compression)
        } catch {
            await refuse(error)
            return
        }
        core.log.update(entry) { entry, _ in
            entry?.stub = "web socket \(stub.path)"
            entry?.status = 101
            entry?.webSocket = LoggedWebSocket(subprotocol: answer.subprotocol, compression: answer.compression)
        }
        let peer = ServerWebSocketPeer(
            WebSocketConnectionParts(channel: channel, queue: queue, core: core, entry: entry),
            request: StubRequest(
                method: head.method, target: head.target, authority: head.authority, headers: head.headers,
                parameters: parameters),
            answer: answer, maximumMessageBytes: stub.maximumMessageBytes, clock: core.clock)
        do {
            try await accept(answer.headers)
            try await stub.serve(peer)
            try await peer.close()
            finish(Self.outcome(of: peer.phase))
        } catch let error as WebSocketPeerFailure {
            finish(.failed(error.description))
        } catch {
            await failed(error, peer)
        }
    }

    private func accept(_ headers: HTTPFields) async throws {
        try await channel.leaveHTTP(to: queue)
        var text = "HTTP/1.1 101 Switching Protocols\r\n"
        for field in headers + stub.headers { text += "\(field.name.rawName): \(field.value)\r\n" }
        try await channel.writeAndFlush(ByteBuffer(string: text + "\r\n")).get()
    }

    private func failed(_ error: any Error, _ peer: ServerWebSocketPeer) async {
        // A write fails, or the task is cancelled, only if the connection is closed.
        guard channel.isActive, !Task.isCancelled else {
            finish(peer.phase.isOver ? Self.outcome(of: peer.phase) : Self.outcome(of: .lost))
            return
        }
        try? await peer.close(.internalError)
        finish(.failed("the stub failed: \(ErrorSummary.describe(error))"))
    }

    private func refuse(_ refusal: ServerHandshake.Refusal) async {
        core.log.count { $0.refusals += 1 }
        let sender = ResponseSender(core: core, entry: entry, head: head, writer: HTTP1Writer(channel: channel))
        var response = StubResponse.text(refusal.message + "\n", status: refusal.status)
        for field in refusal.headers { response.headers[field.name] = field.value }
        _ = try? await sender.send(response, keepsAlive: false)
        finish(.refused(refusal.message))
    }

    private static func outcome(of phase: WebSocketPhase) -> LoggedRequest.Outcome {
        switch phase {
        case .closed: .completed
        case .dropped: .dropped
        case .violated(let message): .refused(message)
        case .open, .closing, .lost: .clientWentAway
        }
    }

    private func finish(_ outcome: LoggedRequest.Outcome) {
        let now = core.clock.now()
        let isStopped = outcome == .clientWentAway && core.connections.isClosed
        core.log.update(entry) { entry, statistics in
            statistics.runningRequests -= 1
            entry?.end = now
            entry?.outcome = isStopped ? .serverStopped : outcome
        }
    }
}

extension RequestHead {
    /// True if the client requests a WebSocket, with a valid handshake or not (RFC 6455 section 4.1).
    fileprivate var isWebSocketHandshake: Bool {
        headers[.upgrade]?.lowercased().contains("websocket") ?? false
    }
}

extension ServerCore {
    /// The first stub for the path of a handshake.
    fileprivate func webSocket(for head: RequestHead) -> (WebSocketStub, [String: String])? {
        let path = StubRequest(method: head.method, target: head.target).path
        return webSockets.withLock { stubs in
            for stub in stubs {
                if let parameters = stub.path.match(path) { return (stub, parameters) }
            }
            return nil
        }
    }
}
#endif
