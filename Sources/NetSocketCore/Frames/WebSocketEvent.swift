package import NetCore

/// What a decoder found in the peer's bytes.
package enum WebSocketEvent: Sendable, Equatable {
    /// A whole message, its fragments put together.
    case message(WebSocketMessage)
    /// A ping, to be answered with the same bytes.
    case ping(Bytes)
    /// A pong.
    case pong(Bytes)
    /// The close frame; nothing follows it. A frame without a code gives `.noStatusReceived`.
    case close(WebSocketCloseCode, reason: String)
}

/// How the peer broke the protocol: what to say to people, and the code to close with.
package struct WebSocketViolation: Error, Equatable {
    package var code: WebSocketCloseCode
    package var message: String

    package init(_ code: WebSocketCloseCode, _ message: String) {
        self.code = code
        self.message = message
    }
}
