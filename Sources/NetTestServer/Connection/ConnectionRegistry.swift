#if Server
internal import NIOCore
internal import Synchronization

/// The open connections and the tasks that serve them, so that stopping ends them all.
final class ConnectionRegistry: Sendable {
    private struct State {
        var isClosed = false
        var lastNumber = 0
        var lastTask = 0
        var channels: [Int: any Channel] = [:]
        var silent: Set<Int> = []
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Whether the server is stopping.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes in a connection and numbers it; nil when the server is stopping.
    func add(_ channel: any Channel) -> Int? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastNumber += 1
            state.channels[state.lastNumber] = channel
            return state.lastNumber
        }
    }

    func remove(_ number: Int) {
        state.withLock { state in
            state.channels[number] = nil
            state.silent.remove(number)
        }
    }

    /// Leaves what is asked on a connection from now on unanswered.
    func silence(_ number: Int) {
        state.withLock { _ = $0.silent.insert(number) }
    }

    func isSilent(_ number: Int) -> Bool {
        state.withLock { $0.silent.contains(number) }
    }

    /// Starts the task that serves a connection or stream. Returns what cancels it.
    func start(_ work: @escaping @Sendable () async -> Void) -> @Sendable () -> Void {
        state.withLock { state in
            guard !state.isClosed else { return {} }
            state.lastTask += 1
            let id = state.lastTask
            let task = Task {
                await work()
                self.finished(id)
            }
            state.tasks[id] = task
            return { task.cancel() }
        }
    }

    private func finished(_ id: Int) {
        state.withLock { $0.tasks[id] = nil }
    }

    /// Closes a listener, then every connection, and waits until all tasks have ended.
    func close(after listener: any Channel) async {
        // A listener that is closed already is what is wanted.
        try? await listener.close().get()
        let (channels, tasks) = state.withLock { state in
            state.isClosed = true
            return (Array(state.channels.values), Array(state.tasks.values))
        }
        for task in tasks { task.cancel() }
        for channel in channels { await channel.endAbruptly(resets: false) }
        for task in tasks { await task.value }
        // A connection that was accepted last may still be on its way to being turned away.
        try? await listener.eventLoop.submit {}.get()
    }

    /// Resets every connection; the server goes on.
    func reset() async {
        for channel in state.withLock({ Array($0.channels.values) }) { await channel.endAbruptly(resets: true) }
    }
}
#endif
