#if Server
internal import Synchronization

/// Runs each handler in a task, as a child of one group: for all connections of a lane.
///
/// A task that has run a handler waits for the next one, since making a task costs more than a short handler. One that was
/// cancelled ends with its handler.
///
/// On the pool, the tasks that wait are woken one at a time: before a task runs a handler, it wakes the next one if there is
/// more to do, and afterwards it looks for more itself. So many short handlers cost few changes of threads, and one that
/// suspends holds up nobody.
///
/// The group's own task makes the others; it runs on the lane, so that this costs a loop no thread change. It ends when it is
/// told to, and all handlers have returned.
final class CommandRunner: Sendable {
    typealias Job = @Sendable () async -> Void

    /// What a task that waits is told.
    private enum Call: Sendable {
        case run(Job)
        case look
        case end
    }
    private typealias Worker = UnsafeContinuation<Call, Never>

    private struct State {
        var loop = RunnerQueue<Worker>()
        var pool = RunnerQueue<Worker>()
        /// Where tasks are missing.
        var wanted: [SocketExecutor] = []
        var maker: UnsafeContinuation<Void, Never>?
        var isClosed = false

        var isOver: Bool { isClosed && loop.isEmpty && pool.isEmpty }

        /// Sees to it that a task comes for what waits for the pool.
        mutating func expectOnPool() -> Step {
            guard !pool.isEmpty, !pool.isExpected else { return .nothing }
            pool.isExpected = true
            if let worker = pool.idle.popLast() { return .call(worker, .look) }
            wanted.append(.pool)
            return .make(maker.take())
        }

        mutating func runOnLoop(_ job: @escaping Job) -> Step {
            if let worker = loop.idle.popLast() { return .call(worker, .run(job)) }
            loop.append(job)
            wanted.append(.loop)
            return .make(maker.take())
        }
    }

    /// What is to be done without the lock.
    private enum Step {
        case nothing
        case refuse
        case call(Worker, Call)
        case make(UnsafeContinuation<Void, Never>?)

        func perform() {
            switch self {
            case .nothing, .refuse: break
            case .call(let worker, let call): worker.resume(returning: call)
            case .make(let maker): maker?.resume()
            }
        }
    }

    /// The tasks of one place that wait at most.
    private static let maximumIdle = 256

    private let state = Mutex(State())
    private let executor: (any TaskExecutor)?

    init(on executor: (any TaskExecutor)?) {
        self.executor = executor
    }

    /// Hands over a job. Returns false if the runner has been told to end.
    @discardableResult
    func start(_ place: SocketExecutor, _ job: @escaping Job) -> Bool {
        let step: Step = state.withLock { state in
            guard !state.isClosed else { return .refuse }
            if place == .loop { return state.runOnLoop(job) }
            state.pool.append(job)
            return state.expectOnPool()
        }
        step.perform()
        if case .refuse = step { return false }
        return true
    }

    /// Ends ``run()`` once the handlers have returned.
    func close() {
        let (maker, workers) = state.withLock { state in
            state.isClosed = true
            defer { (state.loop.idle, state.pool.idle) = ([], []) }
            return (state.maker.take(), state.loop.idle + state.pool.idle)
        }
        maker?.resume()
        for worker in workers { worker.resume(returning: .end) }
    }

    /// Runs until ``close()``.
    func run() async {
        await withDiscardingTaskGroup { group in
            while let wanted = await next() {
                for place in wanted {
                    switch (place, executor) {
                    case (.loop, let executor?): group.addTask(executorPreference: executor) { await self.work(place) }
                    default: group.addTask(executorPreference: globalConcurrentExecutor) { await self.work(place) }
                    }
                }
            }
        }
    }

    /// Does one job after another.
    private func work(_ place: SocketExecutor) async {
        var call = Call.look
        while true {
            switch call {
            case .end: return
            case .run(let job):
                // Nothing of the connection is kept while the task waits.
                call = .look
                await job()
                if Task.isCancelled { return }
                call = if place == .pool, let more = take(place) { .run(more) } else { await rest(place) }
            case .look: call = if let job = take(place, isExpected: true) { .run(job) } else { await rest(place) }
            }
        }
    }

    private func take(_ place: SocketExecutor, isExpected: Bool = false) -> Job? {
        let (job, step, maker) = state.withLock { state -> (Job?, Step, UnsafeContinuation<Void, Never>?) in
            guard place == .pool else { return (state.loop.next(), .nothing, state.isOver ? state.maker.take() : nil) }
            if isExpected { state.pool.isExpected = false }
            return (state.pool.next(), state.expectOnPool(), state.isOver ? state.maker.take() : nil)
        }
        step.perform()
        maker?.resume()
        return job
    }

    private func rest(_ place: SocketExecutor) async -> Call {
        await withUnsafeContinuation { worker in
            let waits = state.withLock { state in
                guard !state.isClosed else { return false }
                return place == .pool
                    ? state.pool.rest(worker, atMost: Self.maximumIdle)
                    : state.loop.rest(worker, atMost: Self.maximumIdle)
            }
            if !waits { worker.resume(returning: .end) }
        }
    }

    /// Where tasks are missing; nil once the runner has been told to end and all is done.
    private func next() async -> [SocketExecutor]? {
        while true {
            let wanted: [SocketExecutor]? = state.withLock { state in
                guard state.wanted.isEmpty else {
                    defer { state.wanted = [] }
                    return state.wanted
                }
                return state.isOver ? nil : []
            }
            guard let wanted else { return nil }
            if !wanted.isEmpty { return wanted }
            await withUnsafeContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.wanted.isEmpty, !state.isOver else { return false }
                    state.maker = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }
}
#endif
