import Dispatch
import NetCore
import Synchronization
import Testing

@testable import NetTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(1)))
struct TestClockTests {
    @Test func timeStandsStillUntilItIsAdvanced() async {
        let clock = TestClock(date: Date(timeIntervalSince1970: 1000))
        #expect(clock.netClock.now() == .zero)
        await clock.advance(by: .milliseconds(1500))
        #expect(clock.netClock.now() == .milliseconds(1500))
        #expect(clock.netClock.date() == Date(timeIntervalSince1970: 1001.5))
    }

    @Test func sleepersWakeInTheOrderOfTheirTimes() async throws {
        let clock = TestClock()
        let woken = Seen<Int>()
        await withTaskGroup { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try? await clock.netClock.sleep(for: .seconds(seconds))
                    woken.append(seconds)
                }
            }
            try? await clock.waitForSleepers(count: 3)
            await clock.advance(by: .seconds(2))
            #expect(woken.all == [1, 2])
            #expect(clock.sleepers == 1)
            await clock.advance(by: .seconds(1))
        }
        #expect(woken.all == [1, 2, 3])
    }

    @Test func sleepersOfOneTimeWakeInTheOrderInWhichTheyFellAsleep() async throws {
        let clock = TestClock()
        let woken = Seen<Int>()
        try await withThrowingTaskGroup { group in
            for index in 0..<5 {
                group.addTask {
                    try await clock.sleep(for: .seconds(1))
                    woken.append(index)
                }
                try await clock.waitForSleepers(count: index + 1)
            }
            await clock.advance(by: .seconds(1))
            try await group.waitForAll()
        }
        #expect(woken.all == [0, 1, 2, 3, 4])
    }

    @Test func aSleepUntilAReadingThatHasPassedEndsImmediately() async throws {
        let clock = TestClock()
        await clock.advance(by: .seconds(5))
        try await clock.netClock.sleep(until: .seconds(5))
        let task = Task { try await clock.netClock.sleep(until: .seconds(7)) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(2))
        try await task.value
        #expect(clock.now == .seconds(7))
        #expect(clock.sleepers == 0)
    }

    #if os(Linux)
    /// It has work to do even while it waits for a processor.
    @Test func anotherThreadThatHasWorkToDoIsSeen() {
        let isOver = Mutex(false)
        let hasEnded = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            while !isOver.withLock({ $0 }) {}
            hasEnded.signal()
        }
        while !RunnableThreads.hasOthers {}
        isOver.withLock { $0 = true }
        hasEnded.wait()
    }
    #endif

    @Test func advancingWakesALoopAtEachOfItsTimes() async throws {
        let clock = TestClock()
        let times = Seen<Duration>()
        let task = Task {
            for _ in 0..<3600 {
                try await clock.sleep(for: .seconds(1))
                times.append(clock.now)
            }
        }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(3600))
        try await task.value
        #expect(times.all == (1...3600).map { .seconds($0) })
    }

    @Test func aTaskThatRunsAgainLateIsWaitedFor() async throws {
        let clock = TestClock()
        let sleeper = LateActor()
        let task = Task { try await sleeper.sleep(5, on: clock) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(5))
        #expect(try await task.value == (1...5).map { .seconds($0) })
    }

    @Test func runGoesOnUntilNobodySleeps() async throws {
        let clock = TestClock()
        let task = Task {
            for hour in 1...10 { try await clock.sleep(for: .seconds(3600 * hour)) }
        }
        try await clock.waitForSleepers(count: 1)
        #expect(await clock.run() == 10)
        try await task.value
        #expect(clock.now == .seconds(3600 * 55))
    }

    @Test func runIsCutOffAtItsMaximum() async throws {
        let clock = TestClock()
        let task = Task { while true { try await clock.sleep(for: .seconds(1)) } }
        try await clock.waitForSleepers(count: 1)
        #expect(await clock.run(maximumWakeups: 5) == 5)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func workIsWaitedForHoweverLongItTakesToSleepAgain() async throws {
        let clock = TestClock()
        let hours = try await clock.run {
            for _ in 0..<5 {
                // Longer than any pause for guessing whether tasks are idle.
                for _ in 0..<20_000 { await Task.yield() }
                try await clock.sleep(for: .seconds(3600))
            }
            for _ in 0..<20_000 { await Task.yield() }
            return 5
        }
        #expect(hours == 5)
        #expect(clock.now == .seconds(5 * 3600))
    }

    @Test func workThatDoesNotSleepEndsAllTheSame() async throws {
        struct Refused: Error {}
        let clock = TestClock()
        #expect(try await clock.run { () -> Int? in nil } == nil)
        await #expect(throws: Refused.self) { try await clock.run { throw Refused() } }
        #expect(clock.now == .zero)
        #expect(clock.sleepers == 0)
    }

    @Test func workThatGoesOnAfterAllWakeupsIsLeft() async throws {
        let clock = TestClock()
        let error = await #expect(throws: TooManyWakeups.self) {
            try await clock.run(maximumWakeups: 5) { while true { try await clock.sleep(for: .seconds(1)) } }
        }
        #expect(error?.count == 5)
        #expect(error?.description.contains("5 sleeping tasks") == true)
        #expect(clock.now == .seconds(5))
        try await clock.run(maximumWakeups: 2) { for _ in 0..<2 { try await clock.sleep(for: .seconds(1)) } }
        #expect(clock.now == .seconds(7))
    }

    @Test func cancellingEndsTheRun() async throws {
        let clock = TestClock()
        let isRunning = Mutex(false)
        let task = Task {
            try await clock.run {
                isRunning.withLock { $0 = true }
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        while !isRunning.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aCancelledSleeperEndsAtOnceAndIsNoLongerCounted() async throws {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
        #expect(clock.now == .zero)
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNotSleep() async {
        let clock = TestClock()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
    }

    @Test func waitingForSleepersCanBeCancelled() async {
        let clock = TestClock()
        let task = Task { try await clock.waitForSleepers(count: 1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func noTimeAtAllDoesNotSleep() async throws {
        let clock = TestClock()
        try await clock.sleep(for: .zero)
        try await clock.netClock.sleep(for: .seconds(-1))
        #expect(clock.sleepers == 0)
    }
}

/// Schedules its tasks 20 ms after they requested it, like a busy machine.
private actor LateActor {
    private final class Executor: SerialExecutor {
        private let queue = DispatchQueue(label: "late")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.asyncAfter(deadline: .now() + .milliseconds(20)) {
                job.runSynchronously(on: self.asUnownedSerialExecutor())
            }
        }
    }

    private nonisolated let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns the clock's readings after each of its sleeps of a second.
    func sleep(_ count: Int, on clock: TestClock) async throws -> [Duration] {
        var readings: [Duration] = []
        for _ in 0..<count {
            try await clock.sleep(for: .seconds(1))
            readings.append(clock.now)
        }
        return readings
    }
}

/// Values in their order of arrival.
private final class Seen<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func append(_ value: Value) {
        values.withLock { $0.append(value) }
    }
}
