internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// An in-memory WebSocket: two pipes, and the state that both ends share.
final class MockSocket: Sendable {
    /// An item that the client sends.
    enum Item: Sendable {
        case message(WebSocketMessage)
        case ping(UInt64)
        case close(WebSocketClosure)
    }

    let context: CallContext
    let toClient: MessagePipe<WebSocketMessage>
    let toPeer: MessagePipe<Item>
    let state: Mutex<MockSocketState>
    /// The largest message that the client accepts.
    let maximumMessageBytes: Int

    init(_ options: WebSocketOptions, subprotocol: String?, context: CallContext) {
        self.context = context
        maximumMessageBytes = options.maximumMessageBytes
        toClient = MessagePipe(limit: 1 << 20)
        toPeer = MessagePipe(limit: 1 << 20)
        state = Mutex(MockSocketState(subprotocol: subprotocol))
    }

    var clock: NetClock { context.environment.clock }

    /// Ends both directions. The client still receives the messages that were sent to it before.
    func end(_ error: NetError, phase: WebSocketPhase) {
        let waiters = state.withLock { $0.end(error, phase: phase) }
        toClient.end()
        toPeer.end()
        for waiter in waiters { waiter.resume() }
    }

    /// Ends the connection after the closing handshake.
    func closed(_ closure: WebSocketClosure, phase: WebSocketPhase = .closed) {
        let who = closure.isByPeer ? "by the server" : "here"
        end(
            context.error(
                .webSocketClosed, phase: .receiving, message: "the WebSocket was closed \(who): \(closure)",
                closure: closure),
            phase: phase)
    }

    func lost(_ message: String, phase: WebSocketPhase) {
        end(
            context.error(
                .connectionLost, phase: .receiving, message: "\(message), without a closing handshake",
                closure: WebSocketClosure(code: .abnormalClosure, isByPeer: true)),
            phase: phase)
    }

    /// Ends the connection because the client has detected a protocol violation by the peer.
    func violated(_ code: WebSocketCloseCode, _ message: String) {
        let closure = WebSocketClosure(code: code, reason: message, isByPeer: false)
        state.withLock { if $0.log.closure == nil { $0.log.closure = .init(code: code, reason: message) } }
        end(
            context.error(
                code == .messageTooBig ? .bodyTooLarge : .protocolViolation, phase: .receiving, message: message,
                closure: closure),
            phase: .closed)
    }

    /// Suspends until the connection has ended, even if the task is cancelled.
    func waitForEnd() async {
        await withCheckedContinuation { waiter in
            let waits = state.withLock { $0.waitForEnd(waiter) }
            if !waits { waiter.resume() }
        }
    }
}
