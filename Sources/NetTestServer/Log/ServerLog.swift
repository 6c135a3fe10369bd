#if Server
internal import NetCore
internal import NetTesting
internal import Synchronization

/// The requests of a server in their order, its figures, and who waits for something in them.
final class ServerLog: Sendable {
    typealias Condition = @Sendable ([LoggedRequest], ServerStatistics) -> Bool

    private struct Waiter {
        let id: Int
        let condition: Condition
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var entries: [LoggedRequest] = []
        /// Entries that are gone, whether for the limit or because they were cleared: what numbers count from.
        var forgotten = 0
        /// Of those, the ones that made room since the log was last cleared.
        var crowdedOut = 0
        var statistics = ServerStatistics()
        var waiters: [Waiter] = []
        var lastWaiter = 0
        var cancelledEarly: Set<Int> = []

        /// Takes out those whose condition holds.
        mutating func satisfied() -> [Waiter] {
            guard !waiters.isEmpty else { return [] }
            let (entries, statistics) = (entries, statistics)
            let ready = waiters.filter { $0.condition(entries, statistics) }
            let ids = Set(ready.map(\.id))
            waiters.removeAll { ids.contains($0.id) }
            return ready
        }
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var entries: [LoggedRequest] { state.withLock { $0.entries } }
    var journal: RequestJournal {
        let (entries, forgotten) = state.withLock { ($0.entries, $0.crowdedOut) }
        let requests = entries.map { entry in
            StubRequest(
                method: entry.method, target: entry.target, authority: entry.authority, fields: entry.fields,
                body: entry.body)
        }
        return RequestJournal(requests: requests, forgotten: forgotten)
    }
    var statistics: ServerStatistics { state.withLock { $0.statistics } }

    /// Adds a request under the next number, which it returns.
    func begin(_ make: (Int) -> LoggedRequest) -> Int {
        change { state in
            state.statistics.requests += 1
            state.statistics.runningRequests += 1
            if state.entries.count >= limit {
                state.entries.removeFirst()
                state.forgotten += 1
                state.crowdedOut += 1
            }
            state.entries.append(make(state.statistics.requests))
            return state.statistics.requests
        }
    }

    /// Changes an entry, if the log still keeps it, and the figures.
    func update(_ number: Int, _ body: (inout LoggedRequest?, inout ServerStatistics) -> Void) {
        change { state in
            let index = number - 1 - state.forgotten
            var entry = state.entries.indices.contains(index) ? state.entries[index] : nil
            body(&entry, &state.statistics)
            if let entry { state.entries[index] = entry }
        }
    }

    func count(_ body: (inout ServerStatistics) -> Void) {
        change { body(&$0.statistics) }
    }

    func removeAll() {
        change { state in
            state.forgotten += state.entries.count
            state.crowdedOut = 0
            state.entries.removeAll()
        }
    }

    func wait(until condition: @escaping Condition) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelledEarly.remove(id) != nil { return .failure(CancellationError()) }
                    if condition(state.entries, state.statistics) { return .success(()) }
                    state.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                    state.cancelledEarly.insert(id)
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, ready) = state.withLock { state in
            let value = body(&state)
            return (value, state.satisfied())
        }
        for waiter in ready { waiter.continuation.resume() }
        return value
    }
}
#endif
