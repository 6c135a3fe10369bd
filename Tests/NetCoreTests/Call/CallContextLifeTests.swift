import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1))) struct CallContextLifeTests {
    private let clock = TestClock()
    private let reason = RunningCall.EndReason(.shutdown, "the client was shut down")

    private func failure(_ body: () async throws -> Void) async -> NetError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? NetError
        }
    }

    @Test func aPauseLastsAsLongAsItWasAskedFor() async throws {
        let context = CallContext.test(.test(), clock)
        let task = Task { try await context.pause(for: .seconds(3)) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(2))
        #expect(clock.sleepers == 1)
        await clock.advance(by: .seconds(1))
        try await task.value
        #expect(context.elapsed == .seconds(3))
    }

    @Test func aPauseEndsWithItsTask() async throws {
        let context = CallContext.test(.test(), clock)
        let task = Task { try await context.pause(for: .seconds(3)) }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.phase == .queued)
        #expect(error?.message == "the call was cancelled while it waited")
        #expect(error?.call == context.summary)
        #expect(error?.elapsed == .zero)
    }

    @Test func aPauseEndsWithItsCall() async throws {
        let calls = RunningCalls()
        var context = CallContext.test(.test(), clock)
        var environment = context.environment
        environment.calls = calls
        context = CallContext(for: .test(), environment: environment)
        context.begin(.test())
        let task = Task { [context] in try await context.pause(for: .seconds(3)) }
        try await clock.waitForSleepers(count: 1)
        calls.endAll(reason)
        let error = await failure { try await task.value }
        #expect(error?.code == .shutdown)
        #expect(error?.message == "the client was shut down")
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
    }

    @Test func aPauseEndsAtTheDeadlineOfItsCall() async throws {
        let context = CallContext.test(.test(), clock, total: .seconds(2))
        let task = Task { try await context.pause(for: .seconds(30)) }
        try await clock.waitForSleepers(count: 2)
        await clock.advance(by: .seconds(2))
        let error = await failure { try await task.value }
        #expect(error?.code == .timeout)
        #expect(error?.phase == .queued)
        #expect(error?.message == "the call took longer than its total timeout of 2.000 s")
        #expect(error?.elapsed == .seconds(2))
        // The deadline of a call that no longer waits isn't watched.
        #expect(context.call.watchDeadline() == false || context.call.reason != nil)
    }

    @Test func aPauseThatIsOverForgetsTheDeadline() async throws {
        let context = CallContext.test(.test(), clock, total: .seconds(20))
        let task = Task { try await context.pause(for: .seconds(1)) }
        try await clock.waitForSleepers(count: 2)
        await clock.advance(by: .seconds(1))
        try await task.value
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
        #expect(context.call.watchDeadline(), "it can be watched anew")
        context.call.forgetDeadline()
    }

    @Test func theValueOfABodyThatEndsIsReturned() async throws {
        let context = CallContext.test(.test(), clock)
        #expect(await context.unlessEnded { 7 } == 7)
        let late: Int? = await context.unlessEnded {
            await Task.yield()
            return 8
        }
        #expect(late == 8)
        let thrown = try await context.unlessEnded(.sending) { 9 }
        #expect(thrown == 9)
    }

    @Test func anErrorOfTheBodyIsThrownAsItIs() async {
        let context = CallContext.test(.test(), clock)
        let own = await failure {
            _ = try await context.unlessEnded(.sending) { () throws -> Int in
                throw NetError(.tls, phase: .securing, message: "m")
            }
        }
        #expect(own?.code == .tls)
    }

    @Test func theEndOfTheCallWinsOverAnErrorOfTheBody() async {
        let context = CallContext.test(.test(), clock)
        context.call.end(reason)
        let own = await failure {
            _ = try await context.unlessEnded(.connecting) { () throws -> Int in
                throw NetError(.tls, phase: .securing, message: "m")
            }
        }
        #expect(own?.code == .shutdown)
        #expect(own?.phase == .connecting)
        let value = try? await context.unlessEnded(.connecting) { 5 }
        #expect(value == 5, "a value that is there is kept")
    }

    @Test func aCancelledTaskGivesUpTheBody() async throws {
        let context = CallContext.test(.test(), clock)
        let task = Task { [clock] in
            _ = try await context.unlessEnded(.receiving) { try await clock.netClock.sleep(for: .seconds(9)) }
        }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.phase == .receiving)
        #expect(error?.message == "the call was cancelled while it waited")
    }

    @Test func aHandlerIsCalledAtTheEndOfItsCallAndImmediatelyAfterIt() {
        let calls = RunningCalls()
        var environment = CallContext.Environment(clock: clock.netClock)
        environment.calls = calls
        let context = CallContext(for: .test(), environment: environment)
        let count = Locked(0)
        context.onEnd { count.change { $0 += 1 } }
        context.call.end(reason)
        #expect(count.value == 0, "a call that hasn't begun keeps no handler for good")
        context.onEnd { count.change { $0 += 10 } }
        #expect(count.value == 10)
        let other = CallContext(for: .test(), environment: environment)
        other.begin(.test())
        other.onEnd { count.change { $0 += 100 } }
        #expect(count.value == 10)
        other.call.end(reason)
        other.call.end(reason)
        #expect(count.value == 110)
    }

    @Test func aHandlerIsAlsoCalledAtTheDeadline() async throws {
        let calls = RunningCalls()
        var environment = CallContext.Environment(clock: clock.netClock)
        environment.calls = calls
        let context = CallContext(
            for: .test(), timeouts: Timeouts(total: .seconds(1)), environment: environment)
        context.begin(.test())
        let count = Locked(0)
        context.onEnd { count.change { $0 += 1 } }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(1))
        while count.value == 0, !Task.isCancelled { await Task.yield() }
        #expect(count.value == 1)
    }

    @Test func lifeIsCheckedAgainstTheEndAndTheDeadline() async throws {
        let context = CallContext.test(.test(), clock, total: .seconds(5))
        try context.checkLife(.sending)
        try context.checkEnd(.sending)
        await clock.advance(by: .seconds(5) - .nanoseconds(1))
        try context.checkLife(.sending)
        await clock.advance(by: .nanoseconds(1))
        let late = await failure { try context.checkLife(.sending) }
        #expect(late?.code == .timeout)
        #expect(late?.phase == .sending)
        try context.checkEnd(.sending)
        context.call.end(reason)
        #expect(await failure { try context.checkLife(.waiting) }?.code == .shutdown)
        let ended = await failure { try context.checkEnd(.waiting) }
        #expect(ended?.code == .shutdown)
        #expect(ended?.phase == .waiting)
        #expect(ended?.message == reason.message)
    }

    @Test func abandonedCallsReportTheReason() async {
        let context = CallContext.test(.test(), clock)
        let cancelled = context.abandoned(.middleware)
        #expect(cancelled.code == .cancelled)
        #expect(cancelled.message == "the call was cancelled")
        context.call.end(reason)
        let ended = context.abandoned(.middleware)
        #expect(ended.code == .shutdown)
        #expect(ended.phase == .middleware)
        #expect(ended.message == reason.message)
    }

    @Test func anErrorIsExplainedByTheEndOfTheCall() {
        let context = CallContext.test(.test(), clock)
        let error = NetError(.connectionLost, phase: .receiving, message: "m")
        #expect(context.explained(error).code == .connectionLost)
        context.call.end(reason)
        let explained = context.explained(error)
        #expect(explained.code == .shutdown)
        #expect(explained.phase == .receiving)
        #expect(explained.message == reason.message)
        #expect(explained.call == context.summary)
        #expect(explained.elapsed == .zero)
        let own = CallSummary(id: context.id, method: .put, url: "u")
        let known = context.explained(
            NetError(.dns, phase: .waiting, message: "m", call: own, elapsed: .seconds(4)))
        #expect(known.call == own)
        #expect(known.elapsed == .seconds(4))
        #expect(known.phase == .waiting)
    }

    @Test func theLastHopIsThatOfTheNewestRedirect() {
        var context = CallContext.test(.test(), clock)
        #expect(context.atLastHop.trail == nil)
        let earlier = context
        let head = HTTPRequest(method: .put, scheme: "https", authority: "b.test", path: "/x?token=SECRET")
        context.trail = RedirectTrail(history: [Redirect(status: 302, url: "u")], head: head, fragment: nil)
        #expect(earlier.summary.url == "https://a.test/")
        let last = earlier.atLastHop
        #expect(last.trail?.history.count == 1)
        #expect(last.summary.method == .put)
        #expect(last.summary.url == "https://b.test/x?token=<redacted>")
        #expect(earlier.abandoned(.waiting).url == "https://b.test/x?token=<redacted>")
    }
}
