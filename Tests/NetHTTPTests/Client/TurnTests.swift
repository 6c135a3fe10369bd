#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Calls that find the engine's loop asleep are sent by their callers, beside others that must wake it.
@Suite(.timeLimit(.minutes(2))) struct TurnTests {
    private let small = Request<Bytes>("small", serializer: .bytes)
    private let late = Request<Bytes>("late", serializer: .bytes)
    private let stubs = [
        Stub(.get, "/small", .text("small")), Stub(.get, "/late", .text("late").delayed(by: .seconds(60))),
    ]

    @Test func callersThatRaceForASleepingLoopAllHaveTheirAnswers() async throws {
        try await Fixture.run(stubs) { fixture in
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        var count = 0
                        for _ in 0..<700 where try await fixture.client.send(small).count == 5 { count += 1 }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(answers == 2100)
            #expect(fixture.transport.statistics.liveTransfers == 0)
        }
    }

    @Test func aCallThatComesWhileAnotherIsSentIsNotForgotten() async throws {
        try await Fixture.run(stubs) { fixture in
            var quick = small
            quick.options.timeouts = .total(.seconds(20))
            for _ in 0..<300 {
                // No response of the other call wakes the loop for this one.
                let other = Task { try await fixture.client.send(late) }
                let answer = try await fixture.client.send(quick)
                #expect(answer.count == 5)
                other.cancel()
                _ = try? await other.value
                while fixture.transport.statistics.liveTransfers > 0, !Task.isCancelled { await Task.yield() }
            }
        }
    }

    @Test func tasksOnTheEnginesExecutorRunBesideCallersThatTakeTurns() async throws {
        try await Fixture.run(stubs) { fixture in
            async let inside = Task(executorPreference: fixture.transport.executor) {
                for _ in 0..<500 { try await fixture.client.send(small) }
            }.value
            for _ in 0..<500 { try await fixture.client.send(small) }
            try await inside
            #expect(fixture.transport.statistics.startedTransfers == 1000)
        }
    }

    @Test func aTimeOutHoldsForACallThatItsCallerSent() async throws {
        try await Fixture.run(stubs) { fixture in
            // The connection already exists: only the timer wakes the loop after the second call was sent.
            try await fixture.client.send(small)
            let options = RequestOptions(timeouts: Timeouts(firstByte: .milliseconds(200)))
            let error = await #expect(throws: APIError<Never>.self) {
                try await fixture.client.send(Request<Bytes>("late", options: options, serializer: .bytes))
            }
            #expect(error?.netError?.code == .timeout)
        }
    }
}
#endif
