public import NetCore

/// One step of a scripted WebSocket peer.
public enum WebSocketStep: Sendable {
    /// Sends a message in one frame.
    case send(WebSocketMessage)
    /// Sends a message in as many frames as there are fragments.
    case fragments([Bytes], isText: Bool)
    /// Sends arbitrary bytes, which don't have to form a frame.
    case raw(Bytes)
    /// Sends a ping and doesn't wait for its pong.
    case ping(Bytes)
    /// Sends an unsolicited pong.
    case pong(Bytes)
    /// Performs the closing handshake: sends a close frame, and reads until the client has responded.
    case close(WebSocketCloseCode, reason: String)
    /// Reads a message, which must equal the given one. Any other message ends the connection with 1008 and is logged
    /// as a failure.
    case expect(WebSocketMessage)
    /// Reads any message.
    case receive
    /// Sends every message back until the client closes.
    case echo
    /// Sends the given number of bytes of ``BytePattern`` in binary messages of `size` bytes, as fast as the client
    /// reads.
    case pattern(bytes: Int64, size: Int)
    /// Waits without reading, on the peer's clock.
    case wait(Duration)
    /// Stops reading, and keeps the connection open until the client is gone or the server stops.
    case stall
    /// Ends the connection without a close frame.
    case drop(ConnectionDrop.Form)

    /// Sends a text message.
    public static func text(_ text: String) -> WebSocketStep { .send(.text(text)) }
    /// Sends a binary message.
    public static func binary(_ bytes: some Collection<UInt8>) -> WebSocketStep { .send(.binary(Bytes(bytes))) }
    /// Sends a ping with a text as its payload.
    public static func ping(_ text: String = "") -> WebSocketStep { .ping(Bytes(text.utf8)) }
    /// Performs the closing handshake without a reason.
    public static func close(_ code: WebSocketCloseCode = .normalClosure) -> WebSocketStep { .close(code, reason: "") }
    /// Reads a text message, which must equal the given text.
    public static func expect(_ text: String) -> WebSocketStep { .expect(.text(text)) }
}

extension WebSocketPeer {
    /// Performs one step. Throws the error that would end the script of a stub.
    public func perform(_ step: WebSocketStep) async throws {
        switch step {
        case .send(let message): try await send(contentsOf: [message])
        case .fragments(let parts, let isText): try await send(fragments: parts, isText: isText)
        case .raw(let bytes): try await send(raw: bytes)
        case .ping(let payload): try await ping(payload)
        case .pong(let payload): try await pong(payload)
        case .close(let code, let reason): try await close(code, reason: reason)
        case .receive: _ = try await receive()
        case .expect(let expected): try await expect(expected)
        case .echo: while let messages = try await receiveAll() { try await send(contentsOf: messages) }
        case .pattern(let bytes, let size): try await sendPattern(bytes, size)
        case .wait(let duration): try await clock.sleep(for: duration)
        case .stall: try await stall()
        case .drop(let form): await drop(form)
        }
    }

    private func expect(_ expected: WebSocketMessage) async throws {
        let found = try await receive()
        guard found != expected else { return }
        try await close(.policyViolation, reason: "another message was expected")
        throw WebSocketPeerFailure(
            description: "expected \(Self.describe(expected)), got \(found.map(Self.describe) ?? "the end")")
    }

    private func sendPattern(_ bytes: Int64, _ size: Int) async throws {
        var position: Int64 = 0
        while position < bytes {
            let count = Int(min(Int64(max(1, size)), bytes - position))
            try await send(.binary(BytePattern.bytes(from: position, count: count)))
            position += Int64(count)
        }
    }

    private static func describe(_ message: WebSocketMessage) -> String {
        switch message {
        case .text(let text) where text.utf8.count <= 100: "the text \"\(text)\""
        case .text(let text): "a text of \(text.utf8.count) bytes"
        case .binary(let bytes): "\(bytes.count) bytes"
        }
    }
}

/// The failure of a script that couldn't run as written.
package struct WebSocketPeerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}
