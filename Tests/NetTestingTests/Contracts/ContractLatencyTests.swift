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

    @Test(arguments: [UInt64(1), 7, 42])
    func aSeedFixesThePauses(_ seed: UInt64) async throws {
        var contract = contract
        contract.expectations[0].times = 20
        func pauses(_ latency: ContractLatency) async throws -> [Duration] {
            let clock = TestClock()
            let transport = ContractTransport(contract, latency: latency)
            var pauses: [Duration] = []
            for _ in 0..<20 {
                let before = clock.now
                _ = try await clock.run { try await ContractCall().text(transport, clock: clock) }
                pauses.append(clock.now - before)
            }
            return pauses
        }
        let uniform = try await pauses(.uniform(.milliseconds(10)...(.milliseconds(20)), seed: seed))
        #expect(uniform == (try await pauses(.uniform(.milliseconds(10)...(.milliseconds(20)), seed: seed))))
        #expect(uniform.allSatisfy { $0 >= .milliseconds(10) && $0 <= .milliseconds(20) })
        #expect(Set(uniform).count > 10)
        let normal = try await pauses(.normal(mean: .milliseconds(80), deviation: .milliseconds(5), seed: seed))
        #expect(normal.allSatisfy { $0 > .milliseconds(50) && $0 < .milliseconds(110) })
        #expect(Set(normal).count > 10)
    }
}
