internal import NetCore
internal import NetRecord
internal import Synchronization

/// The server's part of a recorded WebSocket, played on a mock.
final class SocketScript: Sendable {
    private struct State {
        var redaction: SocketRedaction
        /// The indices of the client's recorded messages that haven't arrived yet.
        var awaited: [Int]
        var breakage: NetError?
    }

    private let replayed: ReplayedSocket
    private let messages: [RecordedSocket.Message]
    /// The messages as they are compared: the policy may have been extended since they were recorded.
    private let redacted: [RecordedSocket.Message]
    private let context: CallContext
    private let state: Mutex<State>

    init(_ replayed: ReplayedSocket, _ request: PreparedRequest, _ context: CallContext) {
        self.replayed = replayed
        self.context = context
        let messages = replayed.socket.messages
        self.messages = messages
        redacted = replayed.redaction.redact(replayed.exchange).socket?.messages ?? messages
        let redaction = SocketRedaction(
            .init(handshake: request), subprotocol: request.options.webSocket?.secretSubprotocol,
            policy: replayed.redaction)
        state = Mutex(
            State(redaction: redaction, awaited: messages.indices.filter { messages[$0].sender == .client }))
    }

    /// The reason why the WebSocket ended without a closing handshake; nil if it didn't.
    var breakage: NetError? { state.withLock { $0.breakage } }

    func run(_ peer: any WebSocketPeer) async throws {
        for (index, recorded) in messages.enumerated() {
            switch recorded.sender {
            case .server:
                try await pause(recorded.delay)
                try await peer.send(recorded.message)
            case .client:
                while isAwaited(index) {
                    guard let message = try await receive(from: peer, after: recorded.delay, "send \(name(index))")
                    else {
                        return
                    }
                    guard take(message) else { return await peer.drop() }
                }
            }
        }
        try await end(peer)
    }

    private func end(_ peer: any WebSocketPeer) async throws {
        let socket = replayed.socket
        switch socket.ending {
        case .closed(let code, let reason, .server):
            try await pause(socket.endDelay)
            try await peer.close(code, reason: reason)
        case .closed(_, _, .client):
            while let message = try await receive(from: peer, after: socket.endDelay, "close") {
                guard take(message) else { return await peer.drop() }
            }
        case .failed(let failure) where failure.code != NetError.Code.cancelled.rawValue:
            try await pause(socket.endDelay)
            fail(NetError.Code(rawValue: failure.code), .receiving, "\(failure.message) (recorded)")
            await peer.drop()
        case .failed, nil:
            // The client that abandoned the recorded WebSocket expected nothing more, so a client that does the same
            // gets no error.
            while let message = try await receive(from: peer, after: socket.endDelay, nil) {
                guard take(message) else { return await peer.drop() }
            }
        }
    }

    private func pause(_ delay: Duration) async throws {
        let pause = replayed.timing.applied(to: delay)
        if pause > .zero { try await context.environment.clock.sleep(for: pause) }
    }

    /// Returns the client's next message; nil if the client is gone, or if it took so long that the WebSocket was
    /// dropped.
    ///
    /// - Parameter action: The client's action in the recording; nil at the end of the recording.
    private func receive(
        from peer: any WebSocketPeer, after delay: Duration, _ action: String?
    ) async throws -> WebSocketMessage? {
        do {
            return try await CancellableWork<WebSocketMessage?>.run(
                within: delay + ReplayedSocket.patience, on: context.environment.clock
            ) {
                ImpatientScript()
            } _: {
                try await peer.receive()
            }
        } catch is ImpatientScript {
            if let action {
                fail(
                    .invalidRequest, .receiving, "the recording of \(url) waits for the client to \(action); \(advice)")
            } else {
                let what = replayed.socket.isCut ? "the recording was full" : "its client left the WebSocket"
                fail(
                    .unsupported, .receiving,
                    "the recording of \(url) ends after \(messages.count) messages, where \(what); \(advice)")
            }
            await peer.drop()
            return nil
        }
    }

    // MARK: What the client sends

    private func isAwaited(_ index: Int) -> Bool { state.withLock { $0.awaited.contains(index) } }

    /// Returns true if the recording contains the message.
    private func take(_ message: WebSocketMessage) -> Bool {
        let comparison = ReplayComparison(rules: replayed.rules)
        let differences = state.withLock { state -> [String] in
            let live = state.redaction.redact(message, from: .client)
            var nearest: [String] = []
            for (offset, index) in state.awaited.enumerated() {
                let found = comparison.differences(recorded: redacted[index].message, live: live)
                if found.isEmpty {
                    state.awaited.remove(at: offset)
                    return []
                }
                if nearest.isEmpty { nearest = ["the next recorded one is \(name(index))"] + found }
                if replayed.rules.isSequential { break }
            }
            return nearest.isEmpty ? ["nothing more was sent"] : nearest
        }
        guard !differences.isEmpty else { return true }
        fail(
            .invalidRequest, .sending,
            "the recording of \(url) has no such client message: \(differences.joined(separator: "; ")); \(advice)"
        )
        return false
    }

    private func name(_ index: Int) -> String { "message \(index + 1) of \(messages.count)" }

    private var url: String { replayed.exchange.request.url }
    private let advice = "record it again with the mode .all, or relax the rules"

    private func fail(_ code: NetError.Code, _ phase: NetError.Phase, _ message: String) {
        let error = context.error(code, phase: phase, message: message)
        state.withLock { $0.breakage = $0.breakage ?? error }
    }
}

/// The client took longer than the recording allows.
private struct ImpatientScript: Error {}
