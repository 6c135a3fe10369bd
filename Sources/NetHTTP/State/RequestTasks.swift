internal import NetCore
internal import Synchronization

/// Requests that a screen or a reducer starts and cancels, each with an ID, and all their events in one stream.
///
/// Each request begins with `started` and ends with one `response` or `cancelled`; an error that represents
/// cancellation becomes `cancelled`. A request with the ID of a running one replaces it: the older one ends with
/// `cancelled` first.
///
///     let tasks = RequestTasks<String, Int>()
///     tasks.run("answer") { 42 }
///     for await (id, action) in tasks.actions {
///         if case .response(let result) = action { print(id, try result.get()) }
///         if case .started = action { continue }
///         break
///     }
public final class RequestTasks<ID: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var number = 0
        var running: [ID: (number: Int, task: Task<Void, Never>)] = [:]
    }

    private let state = Mutex(State())
    private let continuation: AsyncStream<(ID, RequestAction<Value>)>.Continuation
    /// The events in order, for one consumer. The newest ones are buffered for a slow one, up to the limit.
    public let actions: AsyncStream<(ID, RequestAction<Value>)>

    /// Creates an empty set of requests.
    ///
    /// - Parameter limit: The number of events that are buffered for a slow consumer, at least 1; older ones are
    ///   dropped. Default 1,000.
    public init(buffering limit: Int = 1000) {
        (actions, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(max(1, limit)))
    }

    deinit {
        for (_, task) in state.withLock({ $0.running.values.map { $0 } }) { task.cancel() }
        continuation.finish()
    }

    /// The IDs of running requests.
    public var running: Set<ID> { state.withLock { Set($0.running.keys) } }

    /// Starts a request. If one with that ID is running, it's cancelled first, or, with `cancelsRunning` false, the
    /// new one isn't started.
    ///
    /// - Returns: True if the request was started.
    @discardableResult public func run(
        _ id: ID, cancelsRunning: Bool = true, _ work: @escaping @Sendable () async throws -> Value
    ) -> Bool {
        state.withLock { state in
            if let old = state.running.removeValue(forKey: id) {
                guard cancelsRunning else {
                    state.running[id] = old
                    return false
                }
                old.task.cancel()
                continuation.yield((id, .cancelled))
            }
            state.number += 1
            let number = state.number
            continuation.yield((id, .started))
            let task = Task { [weak self] in
                let result: Result<Value, any Error>
                do { result = .success(try await work()) } catch { result = .failure(error) }
                self?.end(id, number, RequestAction(result))
            }
            state.running[id] = (number, task)
            return true
        }
    }

    /// Cancels a request; `cancelled` is reported immediately. Does nothing if no request with that ID is running.
    public func cancel(_ id: ID) {
        state.withLock { state in
            guard let old = state.running.removeValue(forKey: id) else { return }
            old.task.cancel()
            continuation.yield((id, .cancelled))
        }
    }

    /// Reports the end of a request, unless it was reported before.
    private func end(_ id: ID, _ number: Int, _ action: RequestAction<Value>) {
        state.withLock { state in
            guard state.running[id]?.number == number else { return }
            state.running[id] = nil
            continuation.yield((id, action))
        }
    }
}
