#if Server
internal import NIOCore
internal import Synchronization

/// The open connections and the tasks that serve them, so that stopping the server ends all of them.
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

    /// True while the server is stopping and afterwards.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Registers a connection and returns its number; nil if the server is stopping.
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

    /// Ignores later requests on a connection.
    func silence(_ number: Int) {
        state.withLock { _ = $0.silent.insert(number) }
    }

    func isSilent(_ number: Int) -> Bool {
        state.withLock { $0.silent.contains(number) }
    }

    /// Starts the task that serves a connection or stream. Returns a closure that cancels it.
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
        // A listener that is already closed isn't an error.
        try? await listener.close().get()
        let (channels, tasks) = state.withLock { state in
            state.isClosed = true
            return (Array(state.channels.values), Array(state.tasks.values))
        }
        for task in tasks { task.cancel() }
        for channel in channels { await channel.endAbruptly(resets: false) }
        for task in tasks { await task.value }
        // The connection accepted last may still be waiting to be rejected.
        try? await listener.eventLoop.submit {}.get()
    }

    /// Resets every connection; the server keeps running.
    func reset() async {
        for channel in state.withLock({ Array($0.channels.values) }) { await channel.endAbruptly(resets: true) }
    }
}
#endif
