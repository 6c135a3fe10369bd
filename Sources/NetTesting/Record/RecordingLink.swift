internal import NetCore
internal import NetRecord

/// A WebSocket that is recorded on a tape.
final class RecordingLink: WebSocketLink {
    private let inner: any WebSocketLink
    private let tape: SocketTape
    private let finish: @Sendable () -> Void

    /// - Parameter finish: Called once, after the end has been recorded.
    init(_ inner: any WebSocketLink, tape: SocketTape, finish: @escaping @Sendable () -> Void) {
        self.inner = inner
        self.tape = tape
        self.finish = finish
    }

    deinit { end(.left) }

    var response: ResponseHead { inner.response }
    var subprotocol: String? { inner.subprotocol }
    var compression: WebSocketCompression? { inner.compression }
    var silence: Duration? { inner.silence }

    private func end(_ ending: RecordedSocket.Ending) { if tape.end(ending) { finish() } }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(NetError) { try await send(message, compression: .automatic) }

    /// Records the message before sending it, so that its reply can't precede it in the recording.
    func send(_ message: WebSocketMessage, compression: MessageCompression) async throws(NetError) {
        let id = tape.append(.client, message)
        do {
            try await inner.send(message, compression: compression)
        } catch {
            tape.remove(id)
            throw error
        }
    }

    /// Sends the messages one by one: if several failed together, it would be unknown which of them were sent.
    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
        for message in messages { try await send(message) }
    }

    func send(
        partsOf kind: WebSocketMessage.Kind, compression: MessageCompression,
        next: () async throws(NetError) -> Bytes?
    ) async throws(NetError) {
        var parts: [Bytes] = []
        try await inner.send(partsOf: kind, compression: compression) { () async throws(NetError) in
            let part = try await next()
            guard let part else {
                let whole = parts.isEmpty ? Bytes() : Bytes.join(parts, count: parts.reduce(0) { $0 + $1.count })
                tape.append(.client, kind == .binary ? .binary(whole) : .text(String(decoding: whole, as: UTF8.self)))
                return nil
            }
            parts.append(part)
            return part
        }
    }

    // MARK: Receiving and the end

    func receive() async throws(NetError) -> [WebSocketMessage] {
        do {
            let messages = try await inner.receive()
            for message in messages { tape.append(.server, message) }
            return messages
        } catch {
            // Neither a cancelled task nor a second receiver ends the WebSocket.
            if !error.isCancellation, error.code != .invalidRequest { end(.init(error)) }
            throw error
        }
    }

    func ping() async throws(NetError) -> Duration { try await inner.ping() }

    func close(_ closure: WebSocketClosure) async {
        await inner.close(closure)
        end(.closed(closure.code, reason: closure.reason, by: .client))
    }

    func drop() {
        inner.drop()
        end(.left)
    }
}
