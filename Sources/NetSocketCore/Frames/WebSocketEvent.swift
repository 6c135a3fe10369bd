package import NetCore

/// An event that a decoder found in the peer's bytes.
package enum WebSocketEvent: Sendable, Equatable {
    /// A complete message, with its fragments joined.
    case message(WebSocketMessage)
    /// A ping; respond with a pong that has the same bytes.
    case ping(Bytes)
    /// A pong with its bytes.
    case pong(Bytes)
    /// The close frame; nothing follows it. A frame without a code yields `.noStatusReceived`.
    case close(WebSocketCloseCode, reason: String)
}

/// A protocol violation by the peer: a message for people, and the code to close with.
package struct WebSocketViolation: Error, Equatable {
    package var code: WebSocketCloseCode
    package var message: String

    package init(_ code: WebSocketCloseCode, _ message: String) {
        self.code = code
        self.message = message
    }

    static let notUTF8 = WebSocketViolation(.invalidPayload, "a text message is not UTF-8")

    static func tooBig(_ limit: Int) -> WebSocketViolation {
        WebSocketViolation(.messageTooBig, "a message has more than \(limit) bytes")
    }
}
