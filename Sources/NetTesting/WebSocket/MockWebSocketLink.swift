internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The client's end of an in-memory WebSocket. Dropping it drops the connection.
final class MockWebSocketLink: WebSocketLink {
    let response: ResponseHead
    let subprotocol: String?
    private let socket: MockSocket

    init(_ socket: MockSocket, response: ResponseHead, subprotocol: String?) {
        self.socket = socket
        self.response = response
        self.subprotocol = subprotocol
    }

    deinit {
        socket.lost("the client dropped the connection", phase: .lost)
    }

    func send(_ message: WebSocketMessage) async throws(NetError) {
        guard !socket.state.withLock({ $0.isClosing }) else { throw endOfSending() }
        do throws(MessagePipe<MockSocket.Item>.Refusal) {
            try await socket.toPeer.send(.message(message), bytes: message.count)
        } catch {
            throw error == .cancelled
                ? cancelled(.sending, "sending was cancelled while the peer was slow") : endOfSending()
        }
    }

    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
        for message in messages { try await send(message) }
    }

    private func endOfSending() -> NetError {
        socket.state.withLock(\.ending)
            ?? socket.context.error(
                .webSocketClosed, phase: .sending, message: "the WebSocket is being closed here")
    }

    func receive() async throws(NetError) -> [WebSocketMessage] {
        do throws(MessagePipe<WebSocketMessage>.Refusal) {
            if let messages = try await socket.toClient.receive() { return messages }
        } catch {
            guard error == .busy else { throw cancelled(.receiving, "receiving was cancelled") }
            throw socket.context.error(
                .invalidRequest, phase: .receiving,
                message: "another task receives from this WebSocket already; let one receive and share what it gets")
        }
        throw endOfSending()
    }

    func ping() async throws(NetError) -> Duration {
        let start = socket.clock.now()
        let id = socket.state.withLock { $0.beginPing() }
        socket.toPeer.offer(.ping(id))
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = socket.state.withLock { !Task.isCancelled && $0.waitForPong(id, continuation) }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            socket.state.withLock { $0.finishPing(id) }.waiter?.resume()
        }
        if socket.state.withLock({ $0.finishPing(id) }).isAnswered { return socket.clock.now() - start }
        if let ending = socket.state.withLock(\.ending) { throw ending }
        throw cancelled(.waiting, "waiting for a pong was cancelled")
    }

    func close(_ closure: WebSocketClosure) async {
        guard socket.state.withLock({ $0.clientCloses() }) else { return }
        socket.toPeer.offer(.close(closure))
        let socket = socket
        do {
            try await CancellableWork.run(within: .seconds(5), on: socket.clock) { await socket.waitForEnd() }
        } catch {
            socket.lost("the server did not answer the close frame", phase: .lost)
        }
    }

    private func cancelled(_ phase: NetError.Phase, _ message: String) -> NetError {
        socket.context.error(.cancelled, phase: phase, message: message)
    }
}
