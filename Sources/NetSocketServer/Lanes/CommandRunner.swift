#if Server
internal import Synchronization

/// Runs the handlers of all connections of a lane, each in a task, as children of one group.
///
/// A task that has run a handler waits for the next one, since creating a task costs more than a short handler. A
/// cancelled task ends with its handler.
///
/// The idle tasks of an executor are woken one at a time: before a task runs a handler, it wakes the next task if
/// there is more to do, and afterward it takes the next handler itself. Many short handlers thus need few switches
/// between tasks and threads, and a handler that suspends doesn't delay the others. Jobs that a loop hands to the pool
/// while it reads are gathered until it has read all that has arrived, or until there are sixteen: waking a thread for
/// each handler costs half as much as an entire echo.
///
/// The group's own task creates the other tasks. It runs on the lane, so that a loop doesn't have to switch threads
/// for this. It ends once ``close()`` was called and all handlers have returned.
final class CommandRunner: Sendable {
    typealias Job = @Sendable () async -> Void

    private typealias Worker = RunnerQueue.Worker

    private struct State {
        var loop = RunnerQueue()
        var pool = RunnerQueue()
        var running = RunningJobs()
        /// The executors that need another task.
        var wanted: [SocketExecutor] = []
        var maker: UnsafeContinuation<Void, Never>?
        /// The loop will request a task for the jobs that wait for the pool.
        var isGathering = false
        var isClosed = false

        var isOver: Bool { isClosed && loop.isEmpty && pool.isEmpty }

        subscript(place: SocketExecutor) -> RunnerQueue {
            get { place == .loop ? loop : pool }
            _modify { if place == .loop { yield &loop } else { yield &pool } }
        }

        /// Requests a task for the waiting jobs, unless one is already on its way.
        mutating func expect(_ place: SocketExecutor) -> Step {
            guard !self[place].isEmpty, !self[place].isExpected else { return .nothing }
            self[place].isExpected = true
            if let worker = self[place].idle.popLast() { return .wake(worker) }
            wanted.append(place)
            return .make(maker.take())
        }
    }

    /// The action to perform after the lock is released.
    private enum Step {
        case nothing
        case refuse
        case gather
        case wake(Worker)
        case make(UnsafeContinuation<Void, Never>?)

        func perform() {
            switch self {
            case .nothing, .refuse, .gather: break
            case .wake(let worker): worker.resume(returning: true)
            case .make(let maker): maker?.resume()
            }
        }
    }

    /// The maximum number of idle tasks of one executor.
    private static let maximumIdle = 256
    /// The maximum number of jobs for the pool that are gathered.
    private static let burst = 16

    private let state = Mutex(State())
    /// nil for a runner that doesn't belong to a loop.
    private let lane: LoopLane?

    init(on lane: LoopLane?) {
        self.lane = lane
    }

    /// The number of jobs that run, by path.
    var paths: [String: Int] { state.withLock { $0.running.paths } }

    /// Hands over a job. Returns false if the runner is closed.
    ///
    /// - Parameter path: The path of the connection that the job belongs to; nil for work of the server itself.
    @discardableResult
    func start(_ place: SocketExecutor, for path: String? = nil, _ job: @escaping Job) -> Bool {
        let gathers = place == .pool && lane?.isCurrent == true
        let step: Step = state.withLock { state in
            guard !state.isClosed else { return .refuse }
            state[place].append(job, for: path)
            guard gathers, state.pool.count < Self.burst else { return state.expect(place) }
            if state.isGathering || state.pool.isExpected { return .nothing }
            state.isGathering = true
            return .gather
        }
        switch step {
        case .refuse: return false
        case .gather: lane?.afterReading { self.wakePool() }
        default: step.perform()
        }
        return true
    }

    private func wakePool() {
        let step = state.withLock { state in
            state.isGathering = false
            return state.expect(.pool)
        }
        step.perform()
    }

    /// Ends ``run()`` once the handlers have returned.
    func close() {
        let (maker, workers) = state.withLock { state in
            state.isClosed = true
            defer { (state.loop.idle, state.pool.idle) = ([], []) }
            return (state.maker.take(), state.loop.idle + state.pool.idle)
        }
        maker?.resume()
        for worker in workers { worker.resume(returning: false) }
    }

    /// Runs until ``close()`` is called.
    func run() async {
        await withDiscardingTaskGroup { group in
            while let wanted = await next() {
                for place in wanted {
                    switch (place, lane) {
                    case (.loop, let lane?): group.addTask(executorPreference: lane) { await self.work(place) }
                    default: group.addTask(executorPreference: globalConcurrentExecutor) { await self.work(place) }
                    }
                }
            }
        }
    }

    /// Runs one job after another.
    private func work(_ place: SocketExecutor) async {
        repeat {
            var isExpected = true
            var slot: RunningJobs.Slot?
            while let job = take(place, isExpected: isExpected, &slot) {
                isExpected = false
                await job()
                if Task.isCancelled {
                    if let slot { state.withLock { $0.running.remove(slot) } }
                    return
                }
            }
        } while await rest(place)
    }

    /// Returns the oldest job, after waking another task for the others.
    ///
    /// - Parameter slot: The place of the caller's last job, which has ended, and then that of the returned one.
    private func take(_ place: SocketExecutor, isExpected: Bool, _ slot: inout RunningJobs.Slot?) -> Job? {
        let last = slot
        let (entry, next, step, maker) = state.withLock { state in
            if let last { state.running.remove(last) }
            if isExpected { state[place].isExpected = false }
            let entry = state[place].next()
            let next = entry?.path.map { state.running.add($0) }
            return (entry, next, state.expect(place), state.isOver ? state.maker.take() : nil)
        }
        slot = next
        step.perform()
        maker?.resume()
        return entry?.job
    }

    /// Waits for a job. Returns false if the task should end.
    private func rest(_ place: SocketExecutor) async -> Bool {
        await withUnsafeContinuation { worker in
            let waits = state.withLock { state in
                !state.isClosed && state[place].rest(worker, atMost: Self.maximumIdle)
            }
            if !waits { worker.resume(returning: false) }
        }
    }

    /// Returns the executors that need another task; nil once the runner is closed and all jobs are done.
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
