#if Server
internal import Synchronization

/// Makes a task for each handler, as a child of one group: for all connections of a lane.
///
/// The group's own task takes what was handed over and makes the children; it runs on the lane, so that this costs a loop no
/// thread change. It ends when it is told to, and all handlers have returned.
final class CommandRunner: Sendable {
    struct Job: Sendable {
        var executor: SocketExecutor
        var body: @Sendable () async -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var waiter: UnsafeContinuation<Void, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let executor: (any TaskExecutor)?

    init(on executor: (any TaskExecutor)?) {
        self.executor = executor
    }

    /// Hands over a job. Returns false if the runner has been told to end.
    @discardableResult
    func start(_ executor: SocketExecutor, _ body: @escaping @Sendable () async -> Void) -> Bool {
        let (isAccepted, waiter) = state.withLock { state -> (Bool, UnsafeContinuation<Void, Never>?) in
            guard !state.isClosed else { return (false, nil) }
            state.jobs.append(Job(executor: executor, body: body))
            return (true, state.waiter.take())
        }
        waiter?.resume()
        return isAccepted
    }

    /// Ends ``run()`` once the handlers have returned.
    func close() {
        state.withLock { state in
            state.isClosed = true
            return state.waiter.take()
        }?.resume()
    }

    /// Runs until ``close()``.
    func run() async {
        await withDiscardingTaskGroup { group in
            while let jobs = await next() {
                for job in jobs {
                    switch (job.executor, executor) {
                    case (.loop, let executor?): group.addTask(executorPreference: executor) { await job.body() }
                    default: group.addTask(executorPreference: globalConcurrentExecutor) { await job.body() }
                    }
                }
            }
        }
    }

    private func next() async -> [Job]? {
        while true {
            let jobs: [Job]? = state.withLock { state in
                guard state.jobs.isEmpty else {
                    defer { state.jobs = [] }
                    return state.jobs
                }
                return state.isClosed ? nil : []
            }
            guard let jobs else { return nil }
            if !jobs.isEmpty { return jobs }
            await withUnsafeContinuation { continuation in
                let resumes = state.withLock { state in
                    guard state.jobs.isEmpty, !state.isClosed else { return true }
                    state.waiter = continuation
                    return false
                }
                if resumes { continuation.resume() }
            }
        }
    }
}
#endif
