internal import Synchronization

/// Pulls a body through the parser. All copies and iterators of one sequence share it, so each event is returned once.
final class ServerSentEventReader: Sendable {
    private struct State {
        var parser: ServerSentEventParser
        var input: Bytes
        var isDone = false
    }

    private let body: ResponseBody
    private let state: Mutex<State>
    private let isReading = Mutex(false)

    init(_ body: ResponseBody, parser: ServerSentEventParser) {
        self.body = body
        state = Mutex(State(parser: parser, input: body.whole ?? Bytes()))
    }

    var lastEventID: String { state.withLock { $0.parser.lastEventID } }
    var reconnectionTime: Duration? { state.withLock { $0.parser.reconnectionTime } }

    func cancel() {
        state.withLock { $0.isDone = true }
        body.cancel()
    }

    /// Ends the transfer because the consumer has received the events that it needs.
    func finish() {
        state.withLock { $0.isDone = true }
        body.finish()
    }

    /// Ends the transfer because an event can't be used. Returns the error to throw, with the details of the call.
    func fail(_ error: NetError) -> NetError {
        state.withLock { $0.isDone = true }
        return body.fail(error)
    }

    /// Returns the next event with its number, counted from 1; nil at the end, and always after an error.
    func next() async throws(NetError) -> (ServerSentEvent, Int)? {
        guard isReading.withLock({ $0.exchange(true) == false }) else {
            throw NetError(
                .unsupported, phase: .receiving,
                message: "two tasks are reading the same event stream concurrently; let one task read it")
        }
        defer { isReading.withLock { $0 = false } }
        do {
            while true {
                if let found = try parsed() { return found }
                guard let chunk = try await more() else { return nil }
                state.withLock { $0.input = chunk }
            }
        } catch {
            state.withLock { $0.isDone = true }
            throw body.fail(error)
        }
    }

    private func parsed() throws(NetError) -> (ServerSentEvent, Int)? {
        try state.withLock { state throws(NetError) in
            guard !state.isDone, let event = try state.parser.next(from: &state.input) else { return nil }
            return (event, state.parser.eventCount)
        }
    }

    private func more() async throws(NetError) -> Bytes? {
        guard body.whole == nil, !state.withLock({ $0.isDone }) else { return nil }
        var chunks = body.makeAsyncIterator()
        return try await chunks.next()
    }
}

extension Bool {
    /// Sets a new value and returns the old one.
    fileprivate mutating func exchange(_ value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}
