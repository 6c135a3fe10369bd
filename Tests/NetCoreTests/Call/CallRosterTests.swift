import HTTPTypes
import Testing

@testable import NetCore

struct CallRosterTests {
    @Test func nobodyWaitsForTheEndOfNoCalls() {
        var roster = CallRoster()
        #expect(roster.makeWaiter() == nil)
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: "/")
        let place = roster.enter(CallContext(for: PreparedRequest(head: head)).call)
        #expect(roster.makeWaiter() != nil)
        #expect(roster.count == 1)
        // The waiter has been released, but hasn't suspended yet.
        let waiters = roster.leave(place)
        #expect(waiters.isEmpty)
        #expect(roster.count == 0)
        #expect(roster.makeWaiter() == nil)
    }
}
