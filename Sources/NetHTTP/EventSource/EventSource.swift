internal import HTTPTypes
public import NetCore
internal import Synchronization

/// Server-sent events with automatic reconnection (HTML Standard section 9.2).
///
/// Iterating connects. When the stream ends or the connection is lost, the source reconnects after the time that the
/// server has set with `retry`, and sends `Last-Event-ID`. A stream that violates the protocol counts as lost. A 204
/// ends the source. A status other than 200, another content type, a response that isn't HTTP, an untrusted
/// certificate and an event above the size limit throw, and end the source permanently. The client handles redirects;
/// each connection begins at the request's own URL.
///
/// One task iterates at a time, and nothing is read ahead: a consumer that stops reading holds the server back.
/// Leaving the loop or cancelling the task closes the connection; iterating again reconnects with the last ID. A
/// request that may not be repeated, such as a POST without an idempotency key, is sent once
/// (``NetCore/RequestOptions/retry`` decides), and the sequence ends with its stream. Each connection is a call of
/// the client, with its middleware and events.
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
        /// The number of the iteration that owns the connection.
        var reader = 0
        var isReading = false
        /// Interrupts the current wait: for a response head, or for the time of the next connection.
        var interrupt: (@Sendable () -> Void)?
        var observers: [Int: AsyncStream<ReadyState>.Continuation] = [:]
        var observerCount = 0
        var told = ReadyState.closed
    }

    let connector: EventSourceConnector
    let state: Mutex<State>

    /// Creates a source for a request; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - request: The request. Its path, query, headers, body and options are used, but not its serializer.
    ///   - client: The client that sends the request; its clock and random numbers are used too.
    ///   - configuration: The rules for reconnecting, and the limits.
    public init<R: APIRequest>(_ request: R, client: HTTPClient, configuration: Configuration = Configuration()) {
        connector = EventSourceConnector(request, client: client, configuration: configuration)
        state = Mutex(
            State(machine: EventSourceStateMachine(configuration, isRepeatable: connector.isRepeatable)))
    }

    /// Creates a source for a path relative to the client's base URL.
    ///
    ///     for try await event in EventSource("prices", client: client) { print(event.data) }
    public convenience init(
        _ path: Path, query: QueryItems = [], client: HTTPClient, configuration: Configuration = Configuration()
    ) {
        self.init(Request<Void>(path, query: query), client: client, configuration: configuration)
    }

    var clientCoding: JSONCoding { connector.coding }

    /// The state of the connection.
    public var readyState: ReadyState { state.withLock { $0.machine.readyState } }
    /// The `Last-Event-ID` of the next connection; empty for none.
    public var lastEventID: String { state.withLock { $0.machine.lastEventID } }
    /// The wait before the next connection: the server's if it has set one, else the configuration's.
    public var reconnectionTime: Duration { state.withLock { $0.machine.reconnectionTime } }

    /// The current state and every later change; the newest 16 are buffered for a slow consumer. The stream ends with
    /// the source.
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

    /// Closes the connection because the consumer needs no more events; the call counts as completed.
    func finish() { takeStream()?.finish() }

    /// Closes the connection because an event can't be used; returns the error to throw, which identifies the call.
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

    /// Iterates over the events.
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
