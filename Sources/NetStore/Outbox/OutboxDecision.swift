internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The decision about an item after an attempt: a pure function of its result, the time and a random number.
///
/// | result | decision |
/// |---|---|
/// | a status that the request accepts | complete |
/// | a status of the policy | wait, up to the policy's number of attempts; then park as exhausted |
/// | 409 after an earlier attempt | as a status of the policy: the server may still process that one |
/// | any other status | park as refused |
/// | an error of the policy | wait, however often |
/// | any other error | park as failed |
/// | a wait that ends after the item expires | park as expired |
enum OutboxDecision: Sendable, Hashable {
    /// The server has accepted the request.
    case complete
    /// Try again at that time, in microseconds since 1970.
    case wait(until: Int64, countsAsRefusal: Bool)
    /// Make no further attempt.
    case park(OutboxItem.ParkReason)

    /// The attempt that has just ended.
    struct Attempt: Sendable {
        /// The number of attempts begun, including this one.
        var attempts: Int
        /// The number of earlier responses that were retried.
        var refusals: Int
        /// The statuses that the request accepts.
        var accepted: AcceptedStatuses
        /// The time at which the item expires; nil for never.
        var expiresAt: Int64?
    }

    /// Returns the decision.
    static func decide(
        _ result: RetryDecision.Result, _ attempt: Attempt, policy: RetryPolicy, date: Date, random: Double
    ) -> OutboxDecision {
        var policy = policy
        policy.eligibility = .always
        policy.maximumRetryAfter = .seconds(Int64.max / 1_000_000_000)
        let isRefusal: Bool
        switch result {
        case .response(let status, _):
            if attempt.accepted.contains(status) { return .complete }
            isRefusal = true
            if status == 409, attempt.attempts > 1 { policy.statuses.insert(409) }
            // `RetryDecision` doesn't stop for a successful status that isn't in the policy.
            guard policy.statuses.contains(status) else { return .park(.refused) }
        case .failure:
            isRefusal = false
            policy.maximumAttempts = .max
        }
        let request = PreparedRequest(head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: nil))
        let decision = RetryDecision.decide(
            result, request: request, attempt: isRefusal ? attempt.refusals + 1 : attempt.attempts, policy: policy,
            date: date, remaining: nil, random: random)
        switch decision {
        case .stop(.attempts): return .park(.exhausted)
        case .stop: return .park(isRefusal ? .refused : .failed)
        case .retry(let wait):
            let due = StoredTime.microseconds(of: date).addingOrMax(StoredTime.microseconds(of: wait))
            if let end = attempt.expiresAt, due >= end { return .park(.expired) }
            return .wait(until: due, countsAsRefusal: isRefusal)
        }
    }
}
