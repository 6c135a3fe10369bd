/// The messages of a WebSocket after the server accepted the handshake, and its end.
package struct RecordedSocket: Sendable, Hashable {
    /// One of the two sides.
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

    /// The end of a WebSocket.
    package enum Ending: Sendable, Hashable {
        /// A closing handshake, started by `by`; ``WebSocketCloseCode/noStatusReceived`` for a close frame without a
        /// code.
        case closed(WebSocketCloseCode, reason: String, by: Side)
        /// No closing handshake: the error on the receiving side. `cancelled` if the client left the WebSocket open.
        case failed(CapturedExchange.Failure)
    }

    /// The messages of both sides, in the order in which the client saw them.
    package var messages: [Message]
    /// The end; nil if unknown, as in a recording saved by a browser.
    package var ending: Ending?
    /// The pause before the end.
    package var endDelay: Duration
    /// True if the recording reached its limit before the WebSocket ended.
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

    /// True if the request is the opening handshake of a WebSocket: the scheme of its URL is `ws` or `wss`.
    package var isHandshake: Bool {
        let scheme = request.url.prefix { $0 != ":" }.lowercased()
        return scheme == "ws" || scheme == "wss"
    }
}
