#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The clock of the library: a monotonic reading, the wall clock, and a way to wait.
///
/// Durations, timeouts and back-off use ``now()``, which never decreases; ``date()`` is only for HTTP dates and for
/// showing events to people. Tests pass a clock that they advance themselves.
///
///     let clock = NetClock.system
///     let start = clock.now()
///     try await clock.sleep(for: .milliseconds(10))
///     print(clock.now() - start)
public struct NetClock: Sendable {
    private let monotonic: @Sendable () -> Duration
    private let wall: @Sendable () -> Date
    private let wait: @Sendable (Duration) async throws -> Void
    private let waitUntil: (@Sendable (Duration) async throws -> Void)?
    /// True for the system clock. Tests don't count the sleeps on it.
    private(set) var isSystem = false

    /// Creates a clock from its three parts.
    ///
    /// - Parameters:
    ///   - now: A reading that never decreases; its origin is arbitrary.
    ///   - date: The wall clock.
    ///   - sleep: Waits for a duration; throws `CancellationError` when the task is cancelled.
    public init(
        now: @escaping @Sendable () -> Duration,
        date: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.init(now: now, date: date, sleep: sleep, sleepUntil: nil)
    }

    /// Creates a clock that may also wait for a reading, without reading the time first.
    package init(
        now: @escaping @Sendable () -> Duration,
        date: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        sleepUntil: (@Sendable (Duration) async throws -> Void)?
    ) {
        monotonic = now
        wall = date
        wait = sleep
        waitUntil = sleepUntil
    }

    /// Returns the monotonic reading.
    public func now() -> Duration { monotonic() }

    /// Returns the date of the wall clock.
    public func date() -> Date { wall() }

    /// Waits for a duration; returns immediately if it's zero or negative. Throws `CancellationError` when the task is
    /// cancelled.
    public func sleep(for duration: Duration) async throws {
        if duration > .zero { try await wait(duration) }
    }

    /// Waits until ``now()`` is `reading`; returns immediately if that has passed. Throws `CancellationError` when the
    /// task is cancelled.
    ///
    /// Unlike a sleep for the time that remains, it doesn't last longer if the clock of a test advances just before it.
    public func sleep(until reading: Duration) async throws {
        guard let waitUntil else { return try await sleep(for: reading - now()) }
        try await waitUntil(reading)
    }

    private static let origin = ContinuousClock.now

    /// The clocks of the system.
    public static let system: NetClock = {
        var clock = NetClock(
            now: { origin.duration(to: ContinuousClock.now) },
            date: { Date() },
            // The runtime traps if the deadline has more seconds than fit into 64 bits, so a wait is limited to a
            // hundred years.
            sleep: { try await Task.sleep(for: min($0, Duration.seconds(100 * 366 * 86_400)), clock: .continuous) })
        clock.isSystem = true
        return clock
    }()
}
