/// The events of a response, as they arrive.
///
/// Iterate it once. While the consumer isn't reading, the transfer is paused; when the task is cancelled, or the last
/// copy of the sequence is dropped, it ends. The sequence ends with the body and doesn't reconnect; an event that is
/// cut off by the end isn't returned. Throws ``NetError``: errors of the transfer, `.bodyTooLarge` for an event above
/// the limit, and `.decoding` for one that can't be decoded.
///
///     for try await event in ServerSentEvents(body) {
///         print(event.event, event.data)
///     }
public struct ServerSentEvents<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = NetError

    private let reader: ServerSentEventReader
    private let decode: @Sendable (ServerSentEvent, _ number: Int) throws(NetError) -> Element?

    /// Creates a sequence from a body. `decode` returns an element for each event, counted from 1, or nil to end the
    /// sequence.
    package init(
        _ body: ResponseBody, maximumEventBytes: Int = 16 << 20, lastEventID: String = "",
        decode: @escaping @Sendable (ServerSentEvent, _ number: Int) throws(NetError) -> Element?
    ) {
        let parser = ServerSentEventParser(maximumEventBytes: maximumEventBytes, lastEventID: lastEventID)
        reader = ServerSentEventReader(body, parser: parser)
        self.decode = decode
    }

    /// The value of `Last-Event-ID` for a reconnect; empty for none.
    public var lastEventID: String { reader.lastEventID }
    /// The reconnection time set by the stream; nil if it has set none.
    public var reconnectionTime: Duration? { reader.reconnectionTime }

    /// Ends the transfer without reading the rest.
    public func cancel() { reader.cancel() }

    /// Ends the transfer because the consumer has received the events that it needs. The call counts as completed.
    package func finish() { reader.finish() }

    /// Ends the transfer because an event can't be used. Returns the error to throw, with the details of the call.
    package func fail(_ error: NetError) -> NetError { reader.fail(error) }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, decode: decode)
    }

    /// An iterator over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ServerSentEventReader
        let decode: @Sendable (ServerSentEvent, _ number: Int) throws(NetError) -> Element?

        public mutating func next() async throws(NetError) -> Element? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> Element? {
            guard let (event, number) = try await reader.next() else { return nil }
            do {
                if let element = try decode(event, number) { return element }
            } catch {
                throw reader.fail(error)
            }
            reader.finish()
            return nil
        }
    }
}

extension ServerSentEvents where Element == ServerSentEvent {
    /// Creates a sequence of the events in a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - maximumEventBytes: The maximum size of one event in bytes; a larger one throws. Default 16 MiB.
    ///   - lastEventID: The ID until the stream sets one. Default none.
    public init(_ body: ResponseBody, maximumEventBytes: Int = 16 << 20, lastEventID: String = "") {
        self.init(body, maximumEventBytes: maximumEventBytes, lastEventID: lastEventID) { event, _ throws(NetError) in
            event
        }
    }
}
