import HTTPTypes
import NetCore
import NetTesting
import Testing

@testable import NetHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct DownloadAttemptsTests {
    /// A class, because an expectation can't change a value.
    private final class Attempts {
        private let request = PreparedRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/file"))
        private var attempts: DownloadAttempts

        init(budget: RetryBudget? = nil) {
            let backoff = Backoff(base: .seconds(1), cap: .seconds(30), jitter: .none)
            attempts = DownloadAttempts(RetryPolicy(backoff: backoff), budget: budget, bytes: 0)
        }

        func bytesCame(total: Int64) { attempts.bytesCame(total: total) }

        func failed(_ result: RetryDecision.Result) -> DownloadAttempts.Verdict {
            attempts.failed(result, request: request, date: Date(timeIntervalSince1970: 0), random: 0)
        }
    }

    private let lost = RetryDecision.Result.failure(NetError(.connectionLost, phase: .receiving, message: "lost"))

    @Test func thereAreThree() {
        let attempts = Attempts()
        #expect(attempts.failed(lost) == .again(2, after: .seconds(1)))
        #expect(attempts.failed(lost) == .again(3, after: .seconds(2)))
        #expect(attempts.failed(lost) == .exhausted("3 attempts were made"))
    }

    @Test func theyCountAnewOnceNewBytesHaveCome() {
        let attempts = Attempts()
        for bytes in 1...20 {
            attempts.bytesCame(total: Int64(bytes))
            #expect(attempts.failed(lost) == .again(2, after: .seconds(1)))
        }
    }

    @Test func aServerThatAlwaysBreaksOffAtTheSamePlaceIsNotAskedForever() {
        let attempts = Attempts()
        var count = 0
        repeat {
            count += 1
            attempts.bytesCame(total: 50)
            attempts.bytesCame(total: 100)
        } while attempts.failed(lost) != .exhausted("3 attempts were made")
            && count < 10
        #expect(count == 3)
    }

    @Test func theServersWishIsHonored() {
        let attempts = Attempts()
        let busy = RetryDecision.Result.response(status: 429, retryAfter: "7")
        #expect(attempts.failed(busy) == .again(2, after: .seconds(7)))
        let hour = RetryDecision.Result.response(status: 503, retryAfter: "3600")
        #expect(attempts.failed(hour) == .exhausted("the server asks for 3600.000 s before the next attempt"))
    }

    @Test func theBudgetIsKept() {
        let budget = RetryBudget(ratio: 0, reserve: 1)
        let attempts = Attempts(budget: budget)
        #expect(attempts.failed(lost) == .again(2, after: .seconds(1)))
        #expect(attempts.failed(lost) == .exhausted("the retry budget is used up"))
    }

    @Test func permanentFailuresAreNotRetried() {
        let attempts = Attempts()
        let failure = RetryDecision.Result.failure(NetError(.tls, phase: .securing, message: "no trust"))
        #expect(attempts.failed(failure) == .stop)
    }
}

@Suite(.timeLimit(.minutes(1))) struct BandwidthLimitTests {
    @Test func bytesComeNoFasterThanTheLimit() async throws {
        let clock = TestClock()
        let limit = BandwidthLimit(bytesPerSecond: 100_000, clock: clock.netClock)
        try await clock.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { for _ in 0..<250 { try await limit.wait(for: 1000) } }
                }
                try await group.waitForAll()
            }
        }
        // A million bytes less the first twentieth of a second.
        #expect(clock.now > .seconds(9.9))
        #expect(clock.now < .seconds(10.1))
    }
}
