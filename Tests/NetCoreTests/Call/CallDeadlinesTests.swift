import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct CallDeadlinesTests {
    private let clock = TestClock()

    private func context(_ environment: CallContext.Environment, total: Duration?) -> CallContext {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "mock.test", path: "/")
        return CallContext(
            for: PreparedRequest(head: head), delivery: .streamed, timeouts: Timeouts(total: total),
            environment: environment)
    }

    @Test func callsEndAtTheirDeadlinesWithOneTimer() async throws {
        let environment = CallContext.Environment(clock: clock.netClock)
        let calls = [3, 1, 2, 2].map { context(environment, total: .seconds($0)) }
        for call in calls { #expect(call.call.watchDeadline()) }
        #expect(!calls[0].call.watchDeadline())
        try await clock.waitForSleepers(count: 1)
        var ended: [[Bool]] = []
        for count in [1, 3, 4] {
            await clock.advance(by: .seconds(1))
            // The timer for the next deadline may sleep before all calls of this one have ended.
            while calls.count(where: { $0.call.reason != nil }) < count, !Task.isCancelled { await Task.yield() }
            ended.append(calls.map { $0.call.reason?.code == .timeout })
            #expect(clock.sleepers <= 1)
        }
        #expect(
            ended == [[false, true, false, false], [false, true, true, true], [true, true, true, true]])
        #expect(clock.sleepers == 0)
    }

    @Test func aCallThatIsForgottenIsNotEnded() async throws {
        let environment = CallContext.Environment(clock: clock.netClock)
        let (gone, watched) = (context(environment, total: .seconds(1)), context(environment, total: .seconds(2)))
        _ = gone.call.watchDeadline()
        _ = watched.call.watchDeadline()
        gone.call.forgetDeadline()
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(2))
        #expect(gone.call.reason == nil)
        #expect(watched.call.reason?.code == .timeout)
    }

    @Test func theLastOneForgottenTakesTheTimerAlong() async throws {
        let call = context(CallContext.Environment(clock: clock.netClock), total: .seconds(5))
        _ = call.call.watchDeadline()
        try await clock.waitForSleepers(count: 1)
        call.call.forgetDeadline()
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
        // It can be watched again.
        #expect(call.call.watchDeadline())
        try await clock.waitForSleepers(count: 1)
    }

    @Test func aCallWithoutATimeOutIsNotWatched() {
        let call = context(CallContext.Environment(clock: clock.netClock), total: nil)
        #expect(!call.call.watchDeadline())
    }
}
