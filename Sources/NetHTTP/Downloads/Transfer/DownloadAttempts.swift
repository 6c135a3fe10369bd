internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The attempts of one download and the waits between them: three by default. The count restarts once bytes have
/// arrived that weren't there before, so a server that always fails at the same place isn't asked forever.
struct DownloadAttempts: Sendable {
    /// The decision after a failed attempt.
    enum Verdict: Sendable, Hashable {
        /// Another attempt: its number, and the wait before it.
        case again(Int, after: Duration)
        /// The failure isn't temporary.
        case stop
        /// All attempts were made, or another one isn't allowed, for this reason.
        case exhausted(String)
    }

    private let policy: RetryPolicy
    private let budget: RetryBudget?
    /// The number of the current attempt, counted from 1.
    private(set) var number = 1
    private var previousWait: Duration?
    private var most: Int64 = 0

    /// Creates the attempts for a policy.
    ///
    /// - Parameter budget: The limit of retries for all calls that share it; nil for none.
    init(_ policy: RetryPolicy, budget: RetryBudget?, bytes: Int64) {
        self.policy = policy
        self.budget = budget
        most = bytes
        budget?.deposit()
    }

    /// Records the number of bytes of the file received so far.
    mutating func bytesCame(total: Int64) {
        guard total > most else { return }
        most = total
        begin()
    }

    /// Restarts the count, such as for another server.
    mutating func begin() { (number, previousWait) = (1, nil) }

    /// Returns the decision about a failed attempt.
    mutating func failed(
        _ result: RetryDecision.Result, request: PreparedRequest, date: Date, random: Double
    ) -> Verdict {
        let decision = RetryDecision.decide(
            result, request: request, attempt: number, policy: policy, choice: .byPolicy, previousWait: previousWait,
            date: date, remaining: nil, random: random)
        switch decision {
        case .retry(let wait):
            if let budget, !budget.withdraw() { return .exhausted("the retry budget is used up") }
            number += 1
            previousWait = wait
            return .again(number, after: wait)
        case .stop(.attempts): return .exhausted("\(number) attempts were made")
        case .stop(.retryAfter(let asked)):
            return .exhausted("the server asks for \(asked.seconds(places: 3)) s before the next attempt")
        case .stop: return .stop
        }
    }
}
