import Foundation
import Testing

@testable import NetStore

@Suite(.timeLimit(.minutes(5))) struct WakeSignalTests {
    private func wait(_ signal: WakeSignal, atMost limit: Duration?) -> Duration {
        let clock = ContinuousClock()
        return clock.measure { signal.wait(atMost: limit) }
    }

    /// One of them crosses the boundary of a second, regardless of its start.
    @Test(arguments: [.zero, .milliseconds(2), .milliseconds(40), .milliseconds(1990)] as [Duration])
    func aWaitThatNothingEndsTakesItsTime(limit: Duration) {
        let waited = wait(WakeSignal(), atMost: limit)
        // The clocks of the wait and of the measurement aren't read at the same moment.
        #expect(waited >= limit - .milliseconds(1))
        #expect(waited < limit + .seconds(5))
    }

    @Test func aSignalFromBeforeEndsTheNextWaitOnly() {
        let signal = WakeSignal()
        signal.raise()
        signal.raise()
        #expect(wait(signal, atMost: .seconds(30)) < .seconds(10))
        #expect(wait(signal, atMost: .milliseconds(20)) >= .milliseconds(19))
    }

    @Test(arguments: [nil, .seconds(30)] as [Duration?]) func anotherThreadEndsTheWait(limit: Duration?) {
        let signal = WakeSignal()
        Thread.detachNewThread { signal.raise() }
        #expect(wait(signal, atMost: limit) < .seconds(10))
    }
}
