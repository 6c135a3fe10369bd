public import NetCore

extension EventSource {
    /// Decodes the data of each event, across reconnects.
    ///
    /// An event that can't be decoded throws `.decoding` with its type, and closes the connection.
    ///
    ///     struct Token: Decodable, Sendable { let text: String }
    ///     let source = EventSource("completion", client: client)
    ///     for try await token in source.events(decoding: Token.self, until: "[DONE]") { print(token.text) }
    ///
    /// - Parameters:
    ///   - type: The type of each event's data.
    ///   - sentinel: The data that ends the sequence instead of being decoded, such as the `[DONE]` of language
    ///     models. Default nil: none.
    ///   - coding: The JSON coders. Default nil: the client's.
    public func events<Value: Decodable & Sendable>(
        decoding type: Value.Type, until sentinel: String? = nil, coding: JSONCoding? = nil
    ) -> Decoded<Value> {
        Decoded(source: self, sentinel: sentinel, coding: coding ?? clientCoding)
    }

    /// Decoded events. Throws ``NetCore/NetError``.
    public struct Decoded<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        public typealias Element = Value
        public typealias Failure = NetError

        let source: EventSource
        let sentinel: String?
        let coding: JSONCoding

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(source: source, events: source.makeAsyncIterator(), sentinel: sentinel, coding: coding)
        }

        /// Iterates over the decoded values.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let source: EventSource
            var events: EventSource.AsyncIterator
            let sentinel: String?
            let coding: JSONCoding

            public mutating func next() async throws(NetError) -> Value? { try await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> Value? {
                guard let event = try await events.next(isolation: actor) else { return nil }
                if let sentinel, event.data == sentinel {
                    source.finish()
                    return nil
                }
                do {
                    return try coding.decode(Value.self, from: Bytes(event.data.utf8))
                } catch {
                    throw source.fail(
                        NetError(
                            .decoding, phase: .decoding,
                            message: "the data of an event \"\(event.event)\" can't be decoded as \(Value.self): "
                                + DecodingFailure.describe(error), underlying: error))
                }
            }
        }
    }
}
