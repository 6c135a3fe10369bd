/// The events of a response, as they arrive.
///
/// Iterate it once. The server is paused while you do not read; when the task is cancelled, or the last copy of the
/// sequence is dropped, the transfer ends. The sequence ends where the body does, without reconnecting; an event that
/// is cut off there is not handed out. Throws ``NetError``: the transfer's own, `.bodyTooLarge` for an event past the
/// limit, `.decoding` for one that cannot be decoded.
///
///     for try await event in ServerSentEvents(body) {
///         print(event.event, event.data)
///     }
public struct ServerSentEvents<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = NetError

    private let reader: ServerSentEventReader
    private let decode: @Sendable (ServerSentEvent, _ number: Int) throws(NetError) -> Element?

    /// Reads a body; `decode` makes an element of each event, counted from 1, or ends the sequence with nil.
    package init(
        _ body: ResponseBody, maximumEventBytes: Int = 16 << 20, lastEventID: String = "",
        decode: @escaping @Sendable (ServerSentEvent, _ number: Int) throws(NetError) -> Element?
    ) {
        let parser = ServerSentEventParser(maximumEventBytes: maximumEventBytes, lastEventID: lastEventID)
        reader = ServerSentEventReader(body, parser: parser)
        self.decode = decode
    }

    /// What a reconnect sends as `Last-Event-ID`; empty for none.
    public var lastEventID: String { reader.lastEventID }
    /// The reconnection time the stream has set; nil where it has set none.
    public var reconnectionTime: Duration? { reader.reconnectionTime }

    /// Ends the transfer without reading the rest.
    public func cancel() { reader.cancel() }

    /// Ends the transfer because the events that are wanted have come: the call counts as completed.
    package func finish() { reader.finish() }

    /// Ends the transfer because an event cannot be used; returns the error to throw, which names the call.
    package func fail(_ error: NetError) -> NetError { reader.fail(error) }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader, decode: decode)
    }

    /// Hands out the events.
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
    /// Reads a body as an event stream.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - maximumEventBytes: The most bytes of one event; a larger one throws. Default 16 MiB.
    ///   - lastEventID: The id that holds until the stream gives one. Default none.
    public init(_ body: ResponseBody, maximumEventBytes: Int = 16 << 20, lastEventID: String = "") {
        self.init(body, maximumEventBytes: maximumEventBytes, lastEventID: lastEventID) { event, _ throws(NetError) in
            event
        }
    }
}
