import HTTPTypes
import NetTesting
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1))) struct CallContextAttemptsTests {
    private let clock = TestClock()
    private let log = EventLog()

    private func context() -> CallContext { .test(.test(), clock, listeners: [log]) }

    @Test func repeatedRequestsAreCountedAnnouncedAndNumbered() async throws {
        var context = context()
        #expect(context.attempt == 1)
        #expect(context.call.attempts == 0)
        #expect(context.attemptCounts == AttemptCounts())
        try await context.repeatRequest(reason: "first")
        #expect(context.attempt == 2)
        #expect(context.call.attempts == 2)
        #expect(clock.now == .zero)
        let waiting = Task { [context] in
            var context = context
            try await context.repeatRequest(after: .seconds(2), reason: "second", cause: .renewal)
            return context.attempt
        }
        try await clock.waitForSleepers(count: 1)
        #expect(log.events.map(\.retryAttempt) == [2, 3], "it is announced before the wait")
        await clock.advance(by: .seconds(2))
        #expect(try await waiting.value == 3)
        #expect(log.events.map(\.retryDelay) == [.zero, .seconds(2)])
        #expect(log.events.map(\.diagnosticSummary).last?.hasSuffix("attempt 3 follows in 2.000 s (second)") == true)
        #expect(context.attemptCounts.retries == 1)
        #expect(context.attemptCounts.renewals == 1)
    }

    @Test func everyCauseIsCountedByItself() {
        var context = context()
        for (count, cause) in AttemptCause.allCases.enumerated() {
            for _ in 0...count { context.announceAttempt(reason: "r", cause: cause) }
        }
        let counts = context.attemptCounts
        #expect(
            [counts.retries, counts.renewals, counts.redirects, counts.hedges, counts.fallbacks] == [1, 2, 3, 4, 5])
        context.followRedirect()
        #expect(context.attemptCounts.redirects == 4)
        #expect(context.attempt == 1)
        #expect(log.events.allSatisfy { $0.retryAttempt == 2 && $0.retryDelay == .zero })
    }

    @Test func attemptsAreNumberedInTheOrderInWhichTheyBegin() {
        var (first, second) = (context(), context())
        first.beginAttempt()
        #expect(first.attempt == 1)
        #expect(first.call.attempts == 1)
        #expect(first.isInAttempt)
        var copy = first
        copy.beginAttempt()
        #expect(copy.attempt == 2)
        #expect(first.attempt == 1)
        #expect(first.summary.attempt == 1)
        #expect(copy.summary.attempt == 2)
        second = first
        second.isInAttempt = false
        #expect(second.summary.attempt == 2, "outside of an attempt, it is the newest")
        copy.attempt = 7
        copy.beginAttempt()
        #expect(copy.attempt == 7, "a number that was announced is kept")
        #expect(copy.call.attempts == 7, "a number that was announced is kept")
        copy.beginAttempt()
        #expect(copy.attempt == 8)
        copy.followRedirect()
        #expect(copy.attempt == 9)
        #expect(copy.call.attempts == 8)
        #expect(context().summary.attempt == 1)
    }

    @Test func retriesAddUpTheirWaits() {
        let call = context().call
        #expect(call.retries == 0)
        #expect(call.retryWaits.last == nil)
        #expect(call.retryWaits.total == .zero)
        call.countRetry(after: .seconds(2))
        call.countRetry(after: .seconds(3))
        #expect(call.retries == 2)
        #expect(call.retryWaits.last == .seconds(3))
        #expect(call.retryWaits.total == .seconds(5))
    }

    @Test func hostsAreSecuredByAnyoneWhoKnowsThem() {
        let call = context().call
        #expect(!call.wantsHTTPS("a"))
        call.secureHosts { $0 == "a" }
        #expect(call.wantsHTTPS("a"))
        #expect(!call.wantsHTTPS("b"))
        call.secureHosts { $0 == "b" }
        #expect(call.wantsHTTPS("a"))
        #expect(call.wantsHTTPS("b"))
        #expect(!call.wantsHTTPS("c"))
    }

    @Test func timeoutsOfAContextAreItsOwn() {
        let outer = CallContext(
            for: .test(), timeouts: Timeouts(connect: .seconds(1), total: .seconds(9)),
            environment: .init(clock: clock.netClock))
        var inner = outer
        #expect(inner.timeouts.connect == .seconds(1))
        #expect(inner.deadline == .seconds(9))
        #expect(inner.start == .zero)
        inner.timeouts = Timeouts(connect: .seconds(2))
        #expect(inner.timeouts.connect == .seconds(2))
        #expect(inner.timeouts.total == .seconds(9))
        #expect(outer.timeouts.connect == .seconds(1))
        #expect(CallContext(for: .test()).delivery == .collected(upTo: 64 << 20))
        #expect(CallContext(for: .test()).deadline == nil)
    }
}
