import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1))) struct RunningCallsTests {
    private let clock = TestClock()
    private let calls = RunningCalls()
    private let reason = RunningCall.EndReason(.timeout, "m")

    private func begun(_ delivery: BodyDelivery = .streamed) -> CallContext {
        var environment = CallContext.Environment(clock: clock.netClock)
        environment.calls = calls
        let context = CallContext(for: .test(), delivery: delivery, environment: environment)
        context.begin(.test())
        return context
    }

    @Test func callsAreCountedUntilTheyEnd() {
        let (first, second) = (begun(), begun())
        #expect(calls.count == 2)
        first.end(.cancelled)
        first.end(.cancelled)
        #expect(calls.count == 1, "the end counts once")
        let third = begun()
        #expect(calls.count == 2)
        calls.endAll(reason)
        #expect(first.call.reason == nil)
        #expect(second.call.reason?.code == .timeout)
        #expect(third.call.reason?.code == .timeout)
        #expect(calls.count == 2, "they leave by themselves")
        second.end(.cancelled)
        third.end(.cancelled)
        #expect(calls.count == 0)
    }

    @Test func allAreEndedBeforeTheFirstIsTold() {
        let (first, second) = (begun(), begun())
        let seen = Locked<[NetError.Code?]>([])
        first.call.onEnd { seen.change { $0.append(second.call.reason?.code) } }
        second.call.onEnd { seen.change { $0.append(first.call.reason?.code) } }
        calls.endAll(reason)
        #expect(seen.value == [.timeout, .timeout], "neither may begin anything in the place of the other")
        first.end(.cancelled)
        second.end(.cancelled)
    }

    @Test func closingWithoutCallsDoesNotWait() async {
        await calls.close(grace: .seconds(10), clock: clock.netClock)
        #expect(clock.now == .zero)
        #expect(clock.sleepers == 0)
        let late = begun()
        #expect(late.call.reason?.code == .shutdown)
        #expect(late.call.reason?.message == "the client was shut down")
        late.end(.cancelled)
    }

    @Test func theGraceEndsWithTheLastCall() async throws {
        let (first, second) = (begun(), begun())
        let closing = Task { await calls.close(grace: .seconds(10), clock: clock.netClock) }
        try await clock.waitForSleepers(count: 1)
        first.end(.cancelled)
        #expect(second.call.reason == nil)
        #expect(clock.sleepers == 1)
        second.end(.cancelled)
        await closing.value
        #expect(second.call.reason == nil, "it ended in time")
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
    }

    @Test func callsThatAreLeftAfterTheGraceAreEndedAndWaitedForAWhile() async throws {
        let call = begun()
        let closing = Task { await calls.close(grace: .seconds(10), clock: clock.netClock) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(9))
        #expect(call.call.reason == nil)
        await clock.advance(by: .seconds(1))
        try await clock.waitForSleepers(count: 1)
        #expect(call.call.reason?.code == .shutdown)
        await clock.advance(by: .seconds(4))
        #expect(clock.sleepers == 1)
        await clock.advance(by: .seconds(1))
        await closing.value
        #expect(clock.now == .seconds(15))
        #expect(calls.count == 1)
    }

    @Test func withoutGraceCallsAreEndedImmediately() async throws {
        let call = begun()
        let closing = Task { await calls.close(grace: .zero, clock: clock.netClock) }
        try await clock.waitForSleepers(count: 1)
        #expect(call.call.reason?.code == .shutdown)
        call.end(.cancelled)
        await closing.value
    }

    @Test func aTaskThatWaitsForTheEndCanBeCancelled() async throws {
        let call = begun()
        let closing = Task { await calls.close(grace: .seconds(10), clock: clock.netClock) }
        try await clock.waitForSleepers(count: 1)
        closing.cancel()
        await closing.value
        #expect(call.call.reason?.code == .shutdown)
        #expect(clock.now == .zero)
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
    }

    @Test func aPlaceThatIsFreeIsUsedAgain() {
        var roster = CallRoster()
        let call = CallContext.test().call
        let places = [roster.enter(call), roster.enter(call), roster.enter(call)]
        #expect(places == [0, 1, 2])
        #expect(roster.count == 3)
        #expect(roster.all.count == 3)
        _ = roster.leave(1)
        #expect(roster.all.count == 2)
        let (again, next) = (roster.enter(call), roster.enter(call))
        #expect(again == 1)
        #expect(next == 3)
        #expect(roster.all.count == 4)
        roster.close(RunningCall.EndReason(.shutdown, "first"))
        roster.close(RunningCall.EndReason(.timeout, "second"))
        #expect(roster.closing?.message == "first")
    }
}
