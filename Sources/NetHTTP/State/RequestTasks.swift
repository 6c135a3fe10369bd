internal import NetCore
internal import Synchronization

/// Requests that a screen or a reducer begins and gives up, each under an id, and what happens to them in one stream.
///
/// Each begins with `started` and ends with one `response` or `cancelled`; an error that says that it was cancelled is
/// `cancelled`. A request of an id that is on its way already takes the other one's place: that one ends with `cancelled`
/// first.
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
    /// What happens, in its order, for one reader. The newest actions wait for a slow one, up to the limit.
    public let actions: AsyncStream<(ID, RequestAction<Value>)>

    /// Takes how many actions wait for a slow reader, at least 1; older ones are lost. Default 1,000.
    public init(buffering limit: Int = 1000) {
        (actions, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(max(1, limit)))
    }

    deinit {
        for (_, task) in state.withLock({ $0.running.values.map { $0 } }) { task.cancel() }
        continuation.finish()
    }

    /// Ids of requests that are on their way.
    public var running: Set<ID> { state.withLock { Set($0.running.keys) } }

    /// Begins a request. Where one of that id is on its way, it is given up first, or, with `cancelsRunning` false, the new
    /// one is not begun. Returns whether it was.
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

    /// Gives a request up: `cancelled` is told at once. Nothing happens where none of that id is on its way.
    public func cancel(_ id: ID) {
        state.withLock { state in
            guard let old = state.running.removeValue(forKey: id) else { return }
            old.task.cancel()
            continuation.yield((id, .cancelled))
        }
    }

    /// Tells the end of a request, unless it was told before.
    private func end(_ id: ID, _ number: Int, _ action: RequestAction<Value>) {
        state.withLock { state in
            guard state.running[id]?.number == number else { return }
            state.running[id] = nil
            continuation.yield((id, action))
        }
    }
}
