/// The messages of a WebSocket after the server has accepted it, and the way in which it ended.
package struct RecordedSocket: Sendable, Hashable {
    /// One of the two ends.
    package enum Side: String, Sendable, Hashable {
        case client, server
    }

    /// A message, and the pause before it.
    package struct Message: Sendable, Hashable {
        package var sender: Side
        package var message: WebSocketMessage
        package var delay: Duration

        package init(_ sender: Side, _ message: WebSocketMessage, after delay: Duration = .zero) {
            self.sender = sender
            self.message = message
            self.delay = delay
        }
    }

    /// How the WebSocket ended.
    package enum Ending: Sendable, Hashable {
        /// A closing handshake, which `by` began; ``WebSocketCloseCode/noStatusReceived`` for a close frame without a code.
        case closed(WebSocketCloseCode, reason: String, by: Side)
        /// No closing handshake: the error of the one who received. `cancelled` if the client left the WebSocket open.
        case failed(CapturedExchange.Failure)
    }

    /// The messages of both sides, in the order in which the client saw them.
    package var messages: [Message]
    /// The end; nil if it isn't known, as in what a browser saves.
    package var ending: Ending?
    /// The pause before the end.
    package var endDelay: Duration
    /// Whether the recording stopped at its limit before the WebSocket ended.
    package var isCut: Bool

    package init(
        _ messages: [Message] = [], ending: Ending? = nil, endDelay: Duration = .zero, isCut: Bool = false
    ) {
        self.messages = messages
        self.ending = ending
        self.endDelay = endDelay
        self.isCut = isCut
    }
}

extension CapturedExchange {
    /// The WebSocket that the exchange opened; nil for any other exchange.
    package var socket: RecordedSocket? { response?.socket }

    /// Whether the request is the opening handshake of a WebSocket: its URL is `ws` or `wss`.
    package var isHandshake: Bool {
        let scheme = request.url.prefix { $0 != ":" }.lowercased()
        return scheme == "ws" || scheme == "wss"
    }
}
