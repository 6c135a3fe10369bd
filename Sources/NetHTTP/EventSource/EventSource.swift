internal import HTTPTypes
public import NetCore
internal import Synchronization

/// Server-sent events over connections that come and go (HTML Standard section 9.2).
///
/// Iterating it connects; when the stream ends or the connection is lost it connects again, after the time that the server
/// has set with `retry`, and sends `Last-Event-ID`. A stream that breaks the protocol's rules is lost too. A 204 ends it. A
/// status other than 200, another content type, an answer that is no HTTP, a certificate that is not trusted and an event past
/// the limit throw, and end it for ever. Redirects are the client's matter; each connection begins at the request's own URL.
///
/// One task iterates at a time, and nothing is read ahead: a reader that stops holds the server back. Leaving the loop or
/// cancelling the task closes the connection; iterating again connects anew, with the last id. A request that may not be
/// repeated, such as a POST without an idempotency key, is sent once (``NetCore/RequestOptions/retry`` decides), and the
/// sequence ends with its stream. Each connection is a call of the client, with its middleware and events.
///
///     let source = EventSource("prices", client: client)
///     for try await event in source {
///         print(event.lastEventID, event.data)
///     }
public final class EventSource: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    public typealias Failure = NetError

    struct State {
        var machine: EventSourceStateMachine
        var stream: ServerSentEvents<ServerSentEvent>?
        /// Which iterator has the connection.
        var reader = 0
        var isReading = false
        /// Ends what the reader waits for: a head, or the time of the next connection.
        var interrupt: (@Sendable () -> Void)?
        var observers: [Int: AsyncStream<ReadyState>.Continuation] = [:]
        var observerCount = 0
        var told = ReadyState.closed
    }

    let connector: EventSourceConnector
    let state: Mutex<State>

    /// Takes what is asked for; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - request: Its path, query, fields, body and options. Its own serializer is not used.
    ///   - client: What sends it; its clock and random numbers are used too.
    ///   - configuration: When it connects again.
    public init<R: APIRequest>(_ request: R, client: HTTPClient, configuration: Configuration = Configuration()) {
        connector = EventSourceConnector(request, client: client, configuration: configuration)
        state = Mutex(
            State(machine: EventSourceStateMachine(configuration, isRepeatable: connector.isRepeatable)))
    }

    /// Creates a source for a path of the client.
    ///
    ///     for try await event in EventSource("prices", client: client) { print(event.data) }
    public convenience init(
        _ path: Path, query: QueryItems = [], client: HTTPClient, configuration: Configuration = Configuration()
    ) {
        self.init(Request<Void>(path, query: query), client: client, configuration: configuration)
    }

    var clientCoding: JSONCoding { connector.coding }

    /// Whether it is connected.
    public var readyState: ReadyState { state.withLock { $0.machine.readyState } }
    /// What the next connection sends as `Last-Event-ID`; empty for none.
    public var lastEventID: String { state.withLock { $0.machine.lastEventID } }
    /// The wait before the next connection: the server's, else the configuration's.
    public var reconnectionTime: Duration { state.withLock { $0.machine.reconnectionTime } }

    /// The state now and every change from now on; the newest 16 wait for a slow reader. It ends with the source.
    public var readyStates: AsyncStream<ReadyState> {
        let (stream, continuation) = AsyncStream.makeStream(of: ReadyState.self, bufferingPolicy: .bufferingNewest(16))
        let id = state.withLock { state in
            state.observerCount += 1
            state.observers[state.observerCount] = continuation
            continuation.yield(state.machine.readyState)
            return state.observerCount
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
        }
        return stream
    }

    deinit {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
    }

    /// Closes the connection; the iteration ends.
    public func close() { takeStream()?.cancel() }

    /// Closes the connection because the events that are wanted have come; the call counts as completed.
    func finish() { takeStream()?.finish() }

    /// Closes the connection because an event cannot be used; returns the error to throw, which names the call.
    func fail(_ error: NetError) -> NetError { takeStream()?.fail(error) ?? error }

    private func takeStream() -> ServerSentEvents<ServerSentEvent>? {
        let (stream, interrupt) = change { state in
            _ = state.machine.closed()
            return (state.stream.take(), state.interrupt.take())
        }
        interrupt?()
        return stream
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lease: Lease(source: self)) }

    /// Hands out the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let lease: Lease

        public mutating func next() async throws(NetError) -> ServerSentEvent? { try await lease.next() }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetError) -> ServerSentEvent? {
            try await lease.next()
        }
    }
}
