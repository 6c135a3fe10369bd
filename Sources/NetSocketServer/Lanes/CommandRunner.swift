#if Server
internal import Synchronization

/// Runs each handler in a task, as a child of one group: for all connections of a lane.
///
/// A task that has run a handler waits for the next one, since making a task costs more than a short handler. One that was
/// cancelled ends with its handler.
///
/// The tasks of a place that wait are woken one at a time: before a task runs a handler, it wakes the next one if there is more
/// to do, and afterwards it looks for more itself. So many short handlers cost few changes of tasks and threads, and one that
/// suspends holds up nobody. What a loop hands over to the pool while it reads is gathered until it has read all that has
/// arrived, or until there are sixteen: waking a thread for each handler costs as much as half of an echo.
///
/// The group's own task makes the others; it runs on the lane, so that this costs a loop no thread change. It ends when it is
/// told to, and all handlers have returned.
final class CommandRunner: Sendable {
    typealias Job = @Sendable () async -> Void

    private typealias Worker = RunnerQueue.Worker

    private struct State {
        var loop = RunnerQueue()
        var pool = RunnerQueue()
        /// Where tasks are missing.
        var wanted: [SocketExecutor] = []
        var maker: UnsafeContinuation<Void, Never>?
        /// The loop will see to it that a task comes for what waits for the pool.
        var isGathering = false
        var isClosed = false

        var isOver: Bool { isClosed && loop.isEmpty && pool.isEmpty }

        subscript(place: SocketExecutor) -> RunnerQueue {
            get { place == .loop ? loop : pool }
            _modify { if place == .loop { yield &loop } else { yield &pool } }
        }

        /// Sees to it that a task comes for what waits.
        mutating func expect(_ place: SocketExecutor) -> Step {
            guard !self[place].isEmpty, !self[place].isExpected else { return .nothing }
            self[place].isExpected = true
            if let worker = self[place].idle.popLast() { return .wake(worker) }
            wanted.append(place)
            return .make(maker.take())
        }
    }

    /// What is to be done without the lock.
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

    /// The tasks of one place that wait at most.
    private static let maximumIdle = 256
    /// The jobs for the pool that are gathered at most.
    private static let burst = 16

    private let state = Mutex(State())
    /// nil for a runner that belongs to no loop.
    private let lane: LoopLane?

    init(on lane: LoopLane?) {
        self.lane = lane
    }

    /// Hands over a job. Returns false if the runner has been told to end.
    @discardableResult
    func start(_ place: SocketExecutor, _ job: @escaping Job) -> Bool {
        let gathers = place == .pool && lane?.isCurrent == true
        let step: Step = state.withLock { state in
            guard !state.isClosed else { return .refuse }
            state[place].append(job)
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

    /// Runs until ``close()``.
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

    /// Does one job after another.
    private func work(_ place: SocketExecutor) async {
        repeat {
            var isExpected = true
            while let job = take(place, isExpected: isExpected) {
                isExpected = false
                await job()
                if Task.isCancelled { return }
            }
        } while await rest(place)
    }

    /// Returns the oldest job, after waking another task for the others.
    private func take(_ place: SocketExecutor, isExpected: Bool) -> Job? {
        let (job, step, maker) = state.withLock { state -> (Job?, Step, UnsafeContinuation<Void, Never>?) in
            if isExpected { state[place].isExpected = false }
            return (state[place].next(), state.expect(place), state.isOver ? state.maker.take() : nil)
        }
        step.perform()
        maker?.resume()
        return job
    }

    /// Waits until there is something to do. Returns false if the task is to end.
    private func rest(_ place: SocketExecutor) async -> Bool {
        await withUnsafeContinuation { worker in
            let waits = state.withLock { state in
                !state.isClosed && state[place].rest(worker, atMost: Self.maximumIdle)
            }
            if !waits { worker.resume(returning: false) }
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
