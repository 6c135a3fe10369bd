import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

struct CallRosterTests {
    /// The time may be over before whoever has a number comes to wait.
    @Test func whoeverWasToldToStopDoesNotWait() async {
        var roster = CallRoster()
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: "/")
        _ = roster.enter(CallContext(for: PreparedRequest(head: head)).recorder)
        let waiter = roster.makeWaiter()
        #expect(roster.release(waiter) == nil)
        await withCheckedContinuation { continuation in
            let waits = roster.wait(waiter, continuation)
            #expect(!waits)
            if !waits { continuation.resume() }
        }
    }
}
