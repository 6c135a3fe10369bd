import Foundation
import NetCore
import NetTesting
import Testing

@Suite struct DurationTests {
    private static let samples: [Duration] = [
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        Duration(secondsComponent: .min, attosecondsComponent: 0), .seconds(Int64.max), .seconds(Int64.min),
        .seconds(9_223_372_036_854_775), .seconds(9_223_372_036_854_776),
        Duration(secondsComponent: 9_223_372_036_854_775, attosecondsComponent: 999_999_999_999_999_999),
        Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 999_999_999_999_999_999),
        Duration(secondsComponent: -9_223_372_036, attosecondsComponent: -999_999_999_999_999_999),
        Duration(secondsComponent: 0, attosecondsComponent: 1), Duration(secondsComponent: 0, attosecondsComponent: -1),
    ]

    @Test("The system's clock sleeps for any time, and wakes when the task is cancelled", arguments: samples)
    func sleeping(duration: Duration) async {
        let task = Task { try await NetClock.system.sleep(for: duration) }
        if duration > .seconds(1) {
            // By then it is asleep: a cancelled task doesn't check the time.
            try? await Task.sleep(for: .milliseconds(10))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        } else {
            await #expect(throws: Never.self) { try await task.value }
        }
    }

    @Test("The extremes clamp", arguments: samples)
    func extremes(duration: Duration) {
        #expect((duration.inMillisecondsRoundedUp > 0) == (duration > .zero))
        #expect((duration.inNanoseconds >= 0) == (duration >= .zero) || duration > .nanoseconds(-1))
        #expect((duration.inSeconds > 0) == (duration > .zero))
        for places in 0...12 { #expect(!duration.seconds(places: places).isEmpty) }
    }

    @Test(
        "Milliseconds are rounded up, so that a timeout never fires early",
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
            (.seconds(3), 3000),
            (.microseconds(-1), 0), (.microseconds(-1500), -1), (.milliseconds(-2), -2), (.seconds(Int64.max), Int.max),
            (.seconds(Int64.min), Int.min),
            (Duration(secondsComponent: 9_223_372_036_854_775, attosecondsComponent: 900_000_000_000_000_000), Int.max),
        ])
    func milliseconds(duration: Duration, expected: Int) {
        #expect(duration.inMillisecondsRoundedUp == expected)
    }

    @Test(
        "Nanoseconds are clamped to 64 bits",
        arguments: [
            (Duration.zero, Int64(0)), (.nanoseconds(5), 5), (.seconds(2), 2_000_000_000), (.nanoseconds(-7), -7),
            (Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 900_000_000_000_000_000), Int64.max),
            (Duration(secondsComponent: -9_223_372_036, attosecondsComponent: -900_000_000_000_000_000), Int64.min),
        ])
    func nanoseconds(duration: Duration, expected: Int64) {
        #expect(duration.inNanoseconds == expected)
    }

    @Test(
        "Text has a fixed number of places",
        arguments: [
            (Duration.milliseconds(1500), 3, "1.500"), (.milliseconds(1499), 0, "1"), (.milliseconds(1500), 0, "2"),
            (.nanoseconds(1), 9, "0.000000001"), (.microseconds(999_950), 1, "1.0"), (.milliseconds(-250), 2, "-0.25"),
            (.zero, 3, "0.000"), (.nanoseconds(1), 12, "0.000000001"), (.milliseconds(50), 1, "0.1"),
            (.seconds(1), -1, "1"),
        ])
    func text(duration: Duration, places: Int, expected: String) {
        #expect(duration.seconds(places: places) == expected)
    }
}

@Suite struct NetClockTests {
    @Test func aSleepOfNothingReturnsAtOnce() async throws {
        let clock = NetClock(
            now: { .zero }, date: { .distantPast }, sleep: { _ in throw CancellationError() })
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        await #expect(throws: CancellationError.self) { try await clock.sleep(for: .nanoseconds(1)) }
    }

    @Test func theSystemClockGoesForward() async throws {
        let start = NetClock.system.now()
        try await NetClock.system.sleep(for: .milliseconds(1))
        #expect(NetClock.system.now() > start)
    }
}

@Suite struct NetRandomTests {
    @Test func unitsLieBetweenZeroAndOne() {
        #expect(NetRandom { 0 }.unit() == 0)
        #expect(NetRandom { .max }.unit() < 1)
        let random = SeededRandom(seed: 8).netRandom
        for _ in 0..<1000 { #expect((0..<1).contains(random.unit())) }
    }
}
