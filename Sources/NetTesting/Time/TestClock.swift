public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A clock that stands still until a test advances it, so that hours pass in milliseconds and always in the same order.
///
/// Pass ``netClock`` to the code under test. Its sleeps end when ``advance(by:)`` or ``run(maximumWakeups:)`` reaches
/// their deadlines, earliest first; sleeps with the same deadline end in the order in which they began. Before
/// advancing, use ``waitForSleepers(count:)`` to wait until the code sleeps: no test needs a real pause.
///
///     let clock = TestClock()
///     let task = Task { try await clock.netClock.sleep(for: .seconds(3600)) }
///     try await clock.waitForSleepers(count: 1)
///     await clock.advance(by: .seconds(3600))
///     try await task.value
public final class TestClock: Sendable {
    private let state: Mutex<TestClockState>
    private let origin: Date

    /// Creates a clock at reading zero; `date` is the wall-clock time at that reading. Default 2026-01-01T00:00:00Z.
    public init(date: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        origin = date
        state = Mutex(TestClockState())
        ResourceScope.current?.watch("sleeping tasks") { [weak self] in self?.sleepers ?? 0 }
    }

    /// The monotonic reading, which starts at zero.
    public var now: Duration { state.withLock { $0.now } }

    /// The wall-clock time: the start date plus ``now``.
    public var date: Date {
        let (seconds, attoseconds) = now.components
        return origin.addingTimeInterval(Double(seconds) + Double(attoseconds) * 1e-18)
    }

    /// The number of tasks that sleep on this clock.
    public var sleepers: Int { state.withLock { $0.sleeperCount } }

    /// The clock in the form that the library uses.
    public var netClock: NetClock {
        NetClock(
            now: { self.now }, date: { self.date }, sleep: { try await self.sleep(for: $0) },
            sleepUntil: { try await self.sleep(until: $0) })
    }

    /// Sleeps until the clock has advanced by `duration`; returns immediately for zero or less.
    ///
    /// Throws `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await sleep { now in now + duration }
    }

    /// Sleeps until the clock reads `reading`; returns immediately if that has passed.
    ///
    /// Throws `CancellationError` as soon as the task is cancelled.
    public func sleep(until reading: Duration) async throws {
        try await sleep { _ in reading }
    }

    private func sleep(until deadline: (_ now: Duration) -> Duration) async throws {
        try Task.checkCancellation()
        guard let (id, watchers) = state.withLock({ $0.sleep(until: deadline($0.now)) }) else { return }
        for watcher in watchers { watcher.resume() }
        defer { state.withLock { $0.sleepReturned(id) } }
        try await wait(id)
    }

    /// Advances the clock, waking each sleeper at its deadline, including sleeps that begin on the way.
    public func advance(by duration: Duration) async {
        await advance(to: now + duration)
    }

    /// Advances the clock to a reading; does nothing if that has already passed.
    public func advance(to reading: Duration) async {
        await settle()
        while wakeNext(until: reading) { await settle() }
        state.withLock { $0.now = max($0.now, reading) }
    }

    /// Advances the clock from sleeper to sleeper until the work ends; returns its result, or throws its error.
    ///
    /// Even on a busy machine, it waits until the work sleeps again or ends. Throws ``TooManyWakeups`` if the work
    /// continues after the maximum number of wakeups, and `CancellationError` if the task is cancelled; in both cases,
    /// the work is cancelled but not awaited.
    ///
    ///     let clock = TestClock()
    ///     try await clock.run {
    ///         try await clock.netClock.sleep(for: .seconds(3600))
    ///     }
    ///
    /// - Parameters:
    ///   - maximumWakeups: The maximum number of sleepers to wake. Default 1,000,000.
    ///   - work: The work, which starts immediately in a separate task.
    public func run<Value: Sendable>(
        maximumWakeups: Int = 1_000_000, until work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await CancellableWork.run(work) }
            group.addTask {
                for _ in 0..<maximumWakeups {
                    try await self.waitForSleepers(count: 1)
                    await self.settle()
                    try Task.checkCancellation()
                    _ = self.wakeNext(until: nil)
                }
                // Work that ends without another sleep hasn't continued.
                await self.settle()
                try await self.waitForSleepers(count: 1)
                throw TooManyWakeups(count: maximumWakeups)
            }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    /// Advances the clock from sleeper to sleeper until no task sleeps.
    ///
    /// This doesn't always wait for code that a busy machine hasn't run yet; for work that ends, use
    /// ``run(maximumWakeups:until:)``. Code that sleeps forever in a loop is stopped after `maximumWakeups`. Default
    /// 1,000,000.
    ///
    /// - Returns: The number of sleepers that were woken.
    @discardableResult
    public func run(maximumWakeups: Int = 1_000_000) async -> Int {
        var count = 0
        await settle()
        while count < maximumWakeups, wakeNext(until: nil) {
            count += 1
            await settle()
        }
        return count
    }

    /// Waits until at least `count` tasks sleep on this clock. Throws `CancellationError` if the task is cancelled.
    public func waitForSleepers(count: Int) async throws {
        try await wait(state.withLock { $0.wait(forSleepers: count) })
    }

    /// Waits until a registered task is woken; throws `CancellationError` if it is cancelled first.
    private func wait(_ id: TestClockState.Tasks.ID) async throws {
        let isWoken = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                state.withLock { $0.suspend(id, continuation) }?.resume()
            }
        } onCancel: {
            state.withLock { $0.cancel(id) }?.resume()
        }
        if !isWoken { throw CancellationError() }
    }

    private func wakeNext(until reading: Duration?) -> Bool {
        guard let next = state.withLock({ $0.wakeNext(until: reading) }) else { return false }
        next.waiter?.resume()
        return true
    }

    /// Lets woken tasks run until one of them sleeps again, or long enough for them to make progress.
    ///
    /// The runtime doesn't report when all tasks are idle. It is known when a woken task runs again, so that is
    /// awaited; most calls then end at the first new sleep. The real pauses are for a machine so busy that the task
    /// lost its processor right afterwards: a thread that waits for one indicates such a machine, as does a pause that
    /// takes far longer than requested, and more pauses follow.
    private func settle() async {
        let before = state.withLock { $0.sleeps }
        func sleepsAnew() -> Bool { state.withLock { $0.sleeps != before && $0.sleeperCount > 0 } }
        await untilTheWokenRun()
        for _ in 0..<40 {
            for _ in 0..<4 { await Task.yield() }
            if sleepsAnew() { return }
        }
        var pauses = 8
        var taken = 0
        while taken < pauses {
            let start = ContinuousClock.now
            guard (try? await Task.sleep(for: .microseconds(200))) != nil else { return }
            if ContinuousClock.now - start > .milliseconds(2) || hasRunnableThreads { pauses = min(pauses + 1, 40) }
            taken += 1
            for _ in 0..<20 { await Task.yield() }
            if sleepsAnew() { return }
        }
    }

    private var hasRunnableThreads: Bool {
        #if os(Linux)
        RunnableThreads.hasOthers
        #else
        false
        #endif
    }

    /// Waits until each woken task has returned from its sleep; at most a few seconds, in case its actor is blocked.
    private func untilTheWokenRun() async {
        var turn = 0
        while state.withLock({ $0.isWaking }), turn < 20_000 {
            await Task.yield()
            turn += 1
            if turn > 100 { try? await Task.sleep(for: .microseconds(200)) }
        }
    }
}
