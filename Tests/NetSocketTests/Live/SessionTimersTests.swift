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
        while !passed.withLock({ $0.contains(.probe) }) { await Task.yield() }
        #expect(passed.withLock { $0 } == [.reconnect, .probe])
        while !passed.withLock({ $0.contains(.heartbeat) }) {
            await clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(clock.netClock.now() >= .seconds(9))
        run.cancel()
        await run.value
    }
}
