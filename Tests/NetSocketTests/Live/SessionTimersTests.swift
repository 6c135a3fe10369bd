import NetSocketCore
import NetTesting
import Synchronization
import Testing

@testable import NetSocket

/// The deadlines of a session.
@Suite(.timeLimit(.minutes(1)))
struct SessionTimersTests {
    @Test func aTimerThatIsSetAnewByAnotherDoesNotComeEarly() async {
        let clock = TestClock()
        let timers = SessionTimers(clock: clock.netClock)
        timers.set(.reconnect, at: .seconds(1))
        timers.set(.heartbeat, at: .seconds(2))
        timers.set(.opening, at: .seconds(2))
        await clock.advance(by: .seconds(5))
        let passed = Mutex<[SessionMachine.Timer]>([])
        let run = Task {
            await timers.run { timer in
                passed.withLock { $0.append(timer) }
                guard timer == .reconnect else { return }
                timers.clear(.heartbeat)
                timers.set(.heartbeat, at: .seconds(9))
                timers.clear(.opening)
                timers.set(.probe, at: .seconds(3))
            }
        }
        while !passed.withLock({ $0.contains(.probe) }), !Task.isCancelled { await Task.yield() }
        #expect(passed.withLock { $0 } == [.reconnect, .probe])
        while !passed.withLock({ $0.contains(.heartbeat) }) {
            await clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(clock.netClock.now() >= .seconds(9))
        run.cancel()
        await run.value
    }

    /// Advances in seconds until the given number of timers has fired; returns each with its second.
    private func passed(
        _ count: Int, _ clock: TestClock, _ timers: SessionTimers
    ) async -> [(SessionMachine.Timer, Duration)] {
        let passed = Mutex<[(SessionMachine.Timer, Duration)]>([])
        let run = Task { await timers.run { timer in passed.withLock { $0.append((timer, clock.now)) } } }
        while passed.withLock({ $0.count }) < count {
            // The task sleeps until the next one, or has called the last one.
            while clock.sleepers == 0, passed.withLock({ $0.count }) < count, !Task.isCancelled { await Task.yield() }
            await clock.advance(by: .seconds(1))
            for _ in 0..<20 { await Task.yield() }
        }
        run.cancel()
        await run.value
        return passed.withLock { $0 }
    }

    @Test func thoseThatAreDueComeInTheirOrder() async {
        let clock = TestClock()
        let timers = SessionTimers(clock: clock.netClock)
        for number in 1...8 as ClosedRange<UInt64> {
            timers.set(.request(9 - number), at: .milliseconds(100 * Int64(9 - number)))
        }
        let found = await passed(8, clock, timers)
        #expect(found.map(\.0) == (1...8).map { .request($0) })
    }

    @Test func aTimerComesAtItsTimeAndNotAnyMore() async {
        let clock = TestClock()
        await clock.advance(by: .seconds(10))
        let timers = SessionTimers(clock: clock.netClock)
        timers.set(.probe, at: .seconds(13))
        timers.set(.idle, at: .seconds(12))
        timers.clear(.idle)
        timers.set(.heartbeat, at: .seconds(16))
        let found = await passed(2, clock, timers)
        #expect(found.map(\.0) == [.probe, .heartbeat])
        #expect(found.map(\.1) == [.seconds(13), .seconds(16)])
    }

    /// The task sleeps until the first one, or has nothing to sleep for.
    @Test func anEarlierTimerWakesTheTask() async throws {
        for isIdle in [true, false] {
            let clock = TestClock()
            let timers = SessionTimers(clock: clock.netClock)
            let first = Mutex<SessionMachine.Timer?>(nil)
            let run = Task { await timers.run { timer in first.withLock { $0 = $0 ?? timer } } }
            if isIdle {
                for _ in 0..<200 { await Task.yield() }
            } else {
                timers.set(.heartbeat, at: .seconds(30))
                try await clock.waitForSleepers(count: 1)
            }
            timers.set(.probe, at: .seconds(5))
            for _ in 0..<200 { await Task.yield() }
            await clock.advance(by: .seconds(5))
            while first.withLock({ $0 }) == nil, !Task.isCancelled { await Task.yield() }
            #expect(first.withLock { $0 } == .probe)
            timers.set(.idle, at: .seconds(90))
            try await clock.waitForSleepers(count: 1)
            run.cancel()
            await run.value
        }
    }
}
