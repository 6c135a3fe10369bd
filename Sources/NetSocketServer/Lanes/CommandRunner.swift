#if Server
internal import Synchronization

/// Runs each handler in a task, as a child of one group: for all connections of a lane.
///
/// A task that has run a handler waits for the next one, since making a task costs more than a short handler. One that was
/// cancelled ends with its handler. The group's own task makes the others; it runs on the lane, so that this costs a loop no
/// thread change. It ends when it is told to, and all handlers have returned.
final class CommandRunner: Sendable {
    struct Job: Sendable {
        var executor: SocketExecutor
        var body: @Sendable () async -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var waiter: UnsafeContinuation<Void, Never>?
        /// Tasks that wait for a job: on the lane, and on the pool.
        var idle: (loop: [Worker], pool: [Worker]) = ([], [])
        var isClosed = false
    }

    private typealias Worker = UnsafeContinuation<Job?, Never>

    /// The tasks of one kind that wait at most.
    private static let maximumIdle = 256

    private let state = Mutex(State())
    private let executor: (any TaskExecutor)?

    init(on executor: (any TaskExecutor)?) {
        self.executor = executor
    }

    /// Hands over a job. Returns false if the runner has been told to end.
    @discardableResult
    func start(_ executor: SocketExecutor, _ body: @escaping @Sendable () async -> Void) -> Bool {
        enum Step {
            case refuse
            case wake(UnsafeContinuation<Void, Never>?)
            case run(Worker)
        }
        let job = Job(executor: executor, body: body)
        let step: Step = state.withLock { state in
            guard !state.isClosed else { return .refuse }
            let worker = executor == .loop ? state.idle.loop.popLast() : state.idle.pool.popLast()
            if let worker { return .run(worker) }
            state.jobs.append(job)
            return .wake(state.waiter.take())
        }
        switch step {
        case .refuse: return false
        case .wake(let waiter): waiter?.resume()
        case .run(let worker): worker.resume(returning: job)
        }
        return true
    }

    /// Ends ``run()`` once the handlers have returned.
    func close() {
        let (waiter, workers) = state.withLock { state in
            state.isClosed = true
            defer { state.idle = ([], []) }
            return (state.waiter.take(), state.idle.loop + state.idle.pool)
        }
        waiter?.resume()
        for worker in workers { worker.resume(returning: nil) }
    }

    /// Runs until ``close()``.
    func run() async {
        await withDiscardingTaskGroup { group in
            while let jobs = await next() {
                for job in jobs {
                    switch (job.executor, executor) {
                    case (.loop, let executor?): group.addTask(executorPreference: executor) { await self.work(job) }
                    default: group.addTask(executorPreference: globalConcurrentExecutor) { await self.work(job) }
                    }
                }
            }
        }
    }

    /// Does one job after another.
    private func work(_ first: Job) async {
        var next: Job? = first
        while let job = next.take() {
            await job.body()
            if Task.isCancelled { return }
            next = await rest(job.executor)
        }
    }

    /// Waits for a job; nil if the task isn't needed any more.
    private func rest(_ executor: SocketExecutor) async -> Job? {
        await withUnsafeContinuation { worker in
            let waits = state.withLock { state in
                let count = executor == .loop ? state.idle.loop.count : state.idle.pool.count
                guard !state.isClosed, count < Self.maximumIdle else { return false }
                if executor == .loop { state.idle.loop.append(worker) } else { state.idle.pool.append(worker) }
                return true
            }
            if !waits { worker.resume(returning: nil) }
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
