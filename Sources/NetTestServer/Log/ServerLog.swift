#if Server
internal import NetCore
internal import NetTesting
internal import Synchronization

/// The requests of a server in order, its statistics, and the tasks that wait for a condition on them.
final class ServerLog: Sendable {
    typealias Condition = @Sendable ([LoggedRequest], ServerStatistics) -> Bool

    private struct State {
        var entries: RecentItems<LoggedRequest>
        var statistics = ServerStatistics()
        var tasks = WaiterList<Bool>()
        /// The condition that each waiting task waits for.
        var conditions: [WaiterList<Bool>.ID: Condition] = [:]

        /// The index of a request that is still kept; request numbers start at 1 and are never reused.
        func place(of number: Int) -> Int? {
            let place = number - 1 - (statistics.requests - entries.count)
            return place >= 0 && place < entries.count ? place : nil
        }
    }

    private let state: Mutex<State>

    init(limit: Int) {
        state = Mutex(State(entries: RecentItems(limit: max(1, limit))))
    }

    var entries: [LoggedRequest] { state.withLock { $0.entries.items } }
    var journal: RequestJournal {
        let (entries, forgotten) = state.withLock { ($0.entries.items, $0.entries.forgotten) }
        let requests = entries.map { entry in
            StubRequest(
                method: entry.method, target: entry.target, authority: entry.authority, headers: entry.headers,
                body: entry.body)
        }
        return RequestJournal(requests: requests, forgotten: forgotten)
    }
    var statistics: ServerStatistics { state.withLock { $0.statistics } }

    /// Adds a running request with the next number, and returns that number.
    func begin(_ make: (Int) -> LoggedRequest) -> Int {
        change { state in
            state.statistics.requests += 1
            state.statistics.runningRequests += 1
            state.entries.append(make(state.statistics.requests))
            return state.statistics.requests
        }
    }

    /// Adds a completed request.
    func add(_ make: (Int) -> LoggedRequest) {
        change { state in
            state.statistics.requests += 1
            let entry = make(state.statistics.requests)
            state.statistics.bytesWritten += entry.bytesWritten
            state.entries.append(entry)
        }
    }

    /// Updates an entry, if the log still keeps it, and the statistics.
    func update(_ number: Int, _ body: (inout LoggedRequest?, inout ServerStatistics) -> Void) {
        change { state in
            let place = state.place(of: number)
            var entry = place.map { state.entries[$0] }
            body(&entry, &state.statistics)
            if let place, let entry { state.entries[place] = entry }
        }
    }

    func count(_ body: (inout ServerStatistics) -> Void) {
        change { body(&$0.statistics) }
    }

    func removeAll() {
        change { $0.entries.removeAll() }
    }

    func wait(until condition: @escaping Condition) async throws {
        let id = state.withLock { state in
            let id = state.tasks.register()
            state.conditions[id] = condition
            return id
        }
        defer { state.withLock { _ = $0.conditions.removeValue(forKey: id) } }
        wake()
        let holds = await WaiterList.wait(id, fallback: false) { change in state.withLock { change(&$0.tasks) } }
        if !holds { throw CancellationError() }
    }

    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, isAwaited) = state.withLock { (body(&$0), !$0.conditions.isEmpty) }
        if isAwaited { wake() }
        return value
    }

    /// Resumes the tasks whose condition holds. The conditions are user code and may query the server, so they run
    /// without a lock.
    private func wake() {
        let (entries, statistics, conditions) = state.withLock { ($0.entries.items, $0.statistics, $0.conditions) }
        for (id, condition) in conditions where condition(entries, statistics) {
            state.withLock { $0.tasks.release(id, with: true) }?.resume()
        }
    }
}
#endif
