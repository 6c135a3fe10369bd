import NetCore
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContractLatencyTests {
    private let contract = Contract("c", expectations: [ContractCall.expectation])

    @Test func anAnswerTakesItsTimeOnTheCallsClock() async throws {
        let clock = TestClock()
        let transport = ContractTransport(contract, latency: .constant(.seconds(3600)))
        let task = Task { try await ContractCall().text(transport, clock: clock) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(3600))
        #expect(try await task.value.contains("open"))
    }

    @Test func cancellationEndsThePause() async throws {
        let clock = TestClock()
        let transport = ContractTransport(contract, latency: .constant(.seconds(3600)))
        let task = Task { await ContractCall().failure(transport, clock: clock) }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(clock.now == .zero)
    }

    @Test func timeoutsHold() async throws {
        let clock = TestClock()
        let transport = ContractTransport(contract, latency: .constant(.seconds(10)))
        let call = ContractCall(timeouts: Timeouts(firstByte: .seconds(2)))
        let error = try await clock.run { await call.failure(transport, clock: clock) }
        #expect(error?.isTimeout == true)
    }

    /// Returns the pauses before the responses to equal calls.
    private func pauses(_ latency: ContractLatency, count: Int = 20) async throws -> [Duration] {
        var contract = contract
        contract.expectations[0].times = count
        let clock = TestClock()
        let transport = ContractTransport(contract, latency: latency)
        var pauses: [Duration] = []
        for _ in 0..<count {
            let before = clock.now
            _ = try await clock.run { try await ContractCall().text(transport, clock: clock) }
            pauses.append(clock.now - before)
        }
        return pauses
    }

    @Test(arguments: [UInt64(1), 7, 42])
    func aSeedFixesThePauses(_ seed: UInt64) async throws {
        let uniform = try await pauses(.uniform(.milliseconds(10)...(.milliseconds(20)), seed: seed))
        #expect(uniform == (try await pauses(.uniform(.milliseconds(10)...(.milliseconds(20)), seed: seed))))
        #expect(uniform.allSatisfy { $0 >= .milliseconds(10) && $0 <= .milliseconds(20) })
        #expect(Set(uniform).count > 10)
        let normal = try await pauses(.normal(mean: .milliseconds(80), deviation: .milliseconds(5), seed: seed))
        #expect(normal.allSatisfy { $0 > .milliseconds(50) && $0 < .milliseconds(110) })
        #expect(Set(normal).count > 10)
    }

    @Test func twoOfThreePausesAreWithinTheDeviation() async throws {
        let normal = ContractLatency.normal(mean: .milliseconds(80), deviation: .milliseconds(5), seed: 7)
        let near = try await pauses(normal, count: 300).filter { $0 >= .milliseconds(75) && $0 <= .milliseconds(85) }
        #expect(near.count > 180)
        #expect(near.count < 230)
    }
}
