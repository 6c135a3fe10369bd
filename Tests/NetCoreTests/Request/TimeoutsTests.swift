import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite struct TimeoutsTests {
    private let outer = Timeouts(connect: .seconds(3), firstByte: .seconds(4), stall: nil, total: .seconds(6))

    private func context(_ timeouts: Timeouts) -> CallContext {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")
        return CallContext(for: PreparedRequest(head: head), timeouts: timeouts)
    }

    @Test func aLimitCanBeInheritedAgain() {
        var timeouts = Timeouts(stall: nil, total: .seconds(1))
        timeouts.stall = Timeouts.inherited
        #expect(timeouts.stall == .seconds(30))
        timeouts.stall = nil
        timeouts.total = Timeouts.inherited
        #expect(timeouts == Timeouts(stall: nil))
        #expect(Timeouts() == Timeouts(total: nil))
    }

    @Test func aMiddlewareThatSetsOneLimitKeepsTheOthers() {
        var context = context(outer)
        context.timeouts = Timeouts(firstByte: .seconds(1))
        #expect(
            context.timeouts
                == Timeouts(connect: .seconds(3), firstByte: .seconds(1), stall: nil, total: .seconds(6)))
        context.timeouts.stall = .seconds(2)
        context.timeouts.connect = nil
        #expect(
            context.timeouts == Timeouts(connect: nil, firstByte: .seconds(1), stall: .seconds(2), total: .seconds(6)))
        context.timeouts = .total(.seconds(9))
        #expect(context.timeouts.firstByte == .seconds(1))
        #expect(context.timeouts.connect == nil)
        #expect(context.timeouts.total == .seconds(9))
        #expect(context.deadline == context.start + .seconds(6))
    }
}
