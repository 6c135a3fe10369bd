public import NetCore

extension WebSocketConnection {
    /// Sends a value as JSON in a text message. Throws `.encoding` if the value can't be encoded, otherwise like
    /// ``send(_:)-(WebSocketMessage)``.
    ///
    ///     let socket = try await WebSocketClient().connect("wss://example.com/live")
    ///     try await socket.send(json: ["type": "subscribe"])
    public func send(json value: some Encodable, coding: JSONCoding = .standard) async throws(NetError) {
        try await send(try WebSocketMessage(json: value, coding: coding))
    }

    /// Returns the messages, each decoded from JSON. A message that can't be decoded throws `.decoding` and ends the
    /// sequence; later messages aren't lost. Otherwise, the sequence ends like ``messages``.
    public func messages<Value: Decodable & Sendable>(
        of type: Value.Type, coding: JSONCoding = .standard
    ) -> DecodedMessages<Value> {
        DecodedMessages(messages: messages, coding: coding)
    }
}

extension WebSocketMessage {
    /// Creates a text message that contains a value as JSON. Throws `.encoding` if the value can't be encoded.
    public init(json value: some Encodable, coding: JSONCoding = .standard) throws(NetError) {
        do {
            self = .text(String(decoding: try coding.encode(value), as: UTF8.self))
        } catch {
            throw NetError(
                .encoding, phase: .preparing, message: "a message of type \(type(of: value)) could not be encoded",
                underlying: error)
        }
    }

    /// Decodes the message from JSON, whether it is text or bytes. Throws `.decoding`; the error doesn't quote the
    /// message.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, coding: JSONCoding = .standard
    ) throws(NetError) -> Value {
        let bytes =
            switch self {
            case .text(let text): Bytes(text.utf8)
            case .binary(let bytes): bytes
            }
        do {
            return try coding.decode(type, from: bytes)
        } catch {
            throw NetError(
                .decoding, phase: .decoding, message: "a message of \(count) bytes can't be decoded as \(type)",
                underlying: error)
        }
    }
}

/// The messages of a WebSocket as decoded values; see ``WebSocketConnection/messages(of:coding:)``.
public struct DecodedMessages<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    public typealias Failure = NetError

    let messages: WebSocketMessages
    let coding: JSONCoding

    public func makeAsyncIterator() -> Iterator {
        Iterator(messages: messages.makeAsyncIterator(), coding: coding)
    }

    /// Decodes one message after another.
    public struct Iterator: AsyncIteratorProtocol {
        var messages: WebSocketMessages.Iterator
        let coding: JSONCoding
        private var hasFailed = false

        init(messages: WebSocketMessages.Iterator, coding: JSONCoding) {
            self.messages = messages
            self.coding = coding
        }

        public mutating func next() async throws(NetError) -> Element? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> Element? {
            guard !hasFailed, let message = try await messages.next(isolation: actor) else { return nil }
            do throws(NetError) {
                // Not decoded as an optional, for which `null` would end the sequence.
                return try message.decoded(as: Element.self, coding: coding)
            } catch {
                hasFailed = true
                throw error
            }
        }
    }
}
