public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A clock that stands still until a test moves it, so that hours pass in milliseconds and always in the same order.
///
/// Hand ``netClock`` to the code under test. Its sleeps end when ``advance(by:)`` or ``run(maximumWakeups:)`` reaches
/// their time, earliest first, and those of one time in the order in which they began. Wait with
/// ``waitForSleepers(count:)`` until the code sleeps before you advance: no test needs a real pause.
///
///     let clock = TestClock()
///     let task = Task { try await clock.netClock.sleep(for: .seconds(3600)) }
///     try await clock.waitForSleepers(count: 1)
///     await clock.advance(by: .seconds(3600))
///     try await task.value
public final class TestClock: Sendable {
    private let state: Mutex<TestClockState>
    private let origin: Date

    /// Makes a clock at reading zero; `date` is the wall clock's time at that reading. Default 2026-01-01T00:00:00Z.
    public init(date: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        origin = date
        state = Mutex(TestClockState())
        ResourceScope.current?.watch("sleeping tasks") { [weak self] in self?.sleepers ?? 0 }
    }

    /// The monotonic reading, which begins at zero.
    public var now: Duration { state.withLock { $0.now } }

    /// The wall clock: the start date and ``now``.
    public var date: Date {
        let (seconds, attoseconds) = now.components
        return origin.addingTimeInterval(Double(seconds) + Double(attoseconds) * 1e-18)
    }

    /// How many tasks sleep on this clock.
    public var sleepers: Int { state.withLock { $0.sleeperCount } }

    /// The clock as the library takes it.
    public var netClock: NetClock {
        NetClock(now: { self.now }, date: { self.date }, sleep: { try await self.sleep(for: $0) })
    }

    /// Sleeps until the clock has moved on by `duration`; zero or less returns at once.
    ///
    /// Throws `CancellationError` as soon as the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return }
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                apply { $0.sleep(id, for: duration, continuation) }
            }
        } onCancel: {
            apply { $0.cancel(id) }
        }
    }

    /// Moves the clock on, waking each sleeper at its own time, also those that fall asleep on the way.
    public func advance(by duration: Duration) async {
        await advance(to: now + duration)
    }

    /// Moves the clock on to a reading; does nothing when that has passed.
    public func advance(to reading: Duration) async {
        await settle()
        while wakeNext(until: reading) { await settle() }
        state.withLock { $0.now = max($0.now, reading) }
    }

    /// Moves the clock from sleeper to sleeper until nobody sleeps.
    ///
    /// Code that sleeps for ever in a loop is cut off after `maximumWakeups`. Default 1,000,000.
    ///
    /// - Returns: How many sleepers woke.
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

    /// Waits until at least `count` tasks sleep on this clock. Throws `CancellationError` when the task is cancelled.
    public func waitForSleepers(count: Int) async throws {
        let id = state.withLock { $0.makeID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                apply { $0.wait(id, forSleepers: count, continuation) }
            }
        } onCancel: {
            apply { $0.cancel(id) }
        }
    }

    /// Changes the state, then resumes whom it names, outside the lock.
    private func apply(_ event: (inout TestClockState) -> [TestClockState.Resumption]) {
        for resumption in state.withLock({ event(&$0) }) { resumption.run() }
    }

    private func wakeNext(until reading: Duration?) -> Bool {
        guard let resumption = state.withLock({ $0.wakeNext(until: reading) }) else { return false }
        resumption.run()
        return true
    }

    /// Lets woken tasks run until one sleeps again, or for as long as they may need to get somewhere.
    ///
    /// The runtime does not tell when all tasks are idle. Most turns end at the first new sleeper; the short real pauses
    /// are only for a machine so busy that a woken task was not given a processor yet.
    private func settle() async {
        let before = state.withLock { $0.lastID }
        for turn in 0..<60 {
            for _ in 0..<4 { await Task.yield() }
            if state.withLock({ $0.lastID != before && $0.sleeperCount > 0 }) { return }
            if turn >= 40, turn % 5 == 0 { try? await Task.sleep(for: .microseconds(200)) }
        }
    }
}
