internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// One end of an in-memory WebSocket, as passed to code under test. Releasing it drops the connection.
final class PairLink: WebSocketLink, ImmediateSending {
    let response: ResponseHead
    let subprotocol: String?
    private let end: PairEnd

    init(_ end: PairEnd, response: ResponseHead, subprotocol: String?) {
        self.end = end
        self.response = response
        self.subprotocol = subprotocol
    }

    deinit { drop() }

    /// Cancels a task when the connection ends.
    func adopt(_ task: Task<Void, Never>) { end.tasks.adopt(task) }

    var compression: WebSocketCompression? { end.settings.compression }
    var silence: Duration? { max(.zero, end.clock.now() - end.state.withLock { $0.lastByte }) }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(NetError) {
        try await send(message, compression: .automatic)
    }

    func send(_ message: WebSocketMessage, compression: MessageCompression) async throws(NetError) {
        try await append { state, _ in
            state.send(message, compression: compression)
            return 1
        }
    }

    func sendImmediately(_ message: WebSocketMessage) -> Bool {
        end.sendImmediately { $0.send(message) }
    }

    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
        var rest = messages[...]
        while !rest.isEmpty {
            let part = rest
            let count = try await append { state, room in state.send(part, room: room) }
            rest = rest.dropFirst(count)
        }
    }

    func send(
        partsOf kind: WebSocketMessage.Kind, compression: MessageCompression,
        next: () async throws(NetError) -> Bytes?
    ) async throws(NetError) {
        try await append { state, _ in
            state.isInParts = true
            return 0
        }
        var sender = PartSender(kind, compression)
        do throws(NetError) {
            while let part = try await next() { try await append(try sender.frame(part)) }
            try await append(try sender.lastFrame())
        } catch {
            // A message that has been started can't be withdrawn: the peer would take the next one as its continuation.
            if sender.hasBegun {
                end.change {
                    _ = $0.close(WebSocketClosure(code: .internalError, reason: "a message was not completed"))
                }
            }
            end.change { $0.endParts() }
            throw error
        }
        end.change { $0.endParts() }
    }

    private func append(_ frame: PartSender.Frame) async throws(NetError) {
        try await append(isPart: true) { state, _ in
            state.send(frame)
            return 1
        }
    }

    /// Retries until there is room.
    @discardableResult
    private func append(
        isPart: Bool = false, _ body: (inout PairEndState, _ room: Int) -> Int
    ) async throws(NetError) -> Int {
        while true {
            switch end.send(isPart: isPart, body) {
            case .taken(let count): return count
            case .ended: throw endOfSending
            case .wait(let id):
                await end.outgoing.wait(id)
                if Task.isCancelled { throw cancelled(.sending, "sending was cancelled while the peer was slow") }
            }
        }
    }

    private var endOfSending: NetError { end.state.withLock { $0.endOfSending } }

    // MARK: Receiving

    func receive() async throws(NetError) -> [WebSocketMessage] {
        while true {
            switch end.change({ $0.take() }) {
            case .messages(let messages): return messages
            case .ended(let error): throw error
            case .busy:
                throw end.settings.origin.error(
                    .invalidRequest, phase: .receiving,
                    message:
                        "another task is already receiving from this WebSocket; let one task receive and share the "
                        + "messages"
                )
            case .wait(let id):
                await end.wait(id)
                if Task.isCancelled { throw cancelled(.receiving, "receiving was cancelled") }
            }
        }
    }

    // MARK: Ping and close

    func ping() async throws(NetError) -> Duration {
        guard let ping = end.change({ $0.beginPing(now: end.clock.now()) }) else { throw endOfSending }
        defer { end.state.withLock { $0.pings.end(ping) } }
        let ended = cancelled(.waiting, "waiting for a pong was cancelled")
        let outcome = await WaiterList.wait(ping.waiter, fallback: .failed(ended)) { [end] change in
            end.state.withLock { change(&$0.pings.waiters) }
        }
        switch outcome {
        case .answered(let duration): return duration
        case .failed(let error): throw error
        }
    }

    func close(_ closure: WebSocketClosure) async {
        end.change { _ = $0.close(closure) }
        await withTaskCancellationHandler {
            await end.waitForEnd()
        } onCancel: {
            end.change { $0.endClosing() }
        }
    }

    func drop() { end.change { $0.drop("the connection was dropped here") } }

    private func cancelled(_ phase: NetError.Phase, _ message: String) -> NetError {
        end.settings.origin.error(.cancelled, phase: phase, message: message)
    }
}
