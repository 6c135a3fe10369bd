internal import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The decision about a finished attempt: a pure function of its result, the time and a random number.
package enum RetryDecision: Sendable, Hashable {
    /// The result of the attempt is the result of the call.
    case stop
    /// The request is sent again after a wait.
    case retry(after: Duration)

    /// The result of an attempt.
    package enum Result: Sendable {
        /// The status of a response and its `Retry-After` header.
        case response(status: Int, retryAfter: String?)
        /// An error.
        case failure(NetError)
    }

    /// Returns the decision.
    ///
    /// - Parameters:
    ///   - result: The result of the attempt.
    ///   - request: The request: its method, whether its body can be sent again, and its ``RequestOptions/retry``.
    ///   - attempt: The number of the attempt that ended, counted from 1.
    ///   - policy: The rules.
    ///   - date: The wall clock, for a `Retry-After` with a date.
    ///   - remaining: The time left until the call's deadline; nil for no deadline.
    ///   - random: A uniform number in `0 ..< 1`.
    package static func decide(
        _ result: Result, request: PreparedRequest, attempt: Int, policy: RetryPolicy, date: Date,
        remaining: Duration?, random: Double
    ) -> RetryDecision {
        guard attempt < policy.maximumAttempts, request.isReplayable, request.mayBeRepeated(by: policy.eligibility)
        else {
            return .stop
        }
        var wait = policy.backoff.delay(afterAttempt: attempt, random: random)
        switch result {
        case .failure(let error):
            guard policy.errors.contains(error.code) else { return .stop }
        case .response(let status, let retryAfter):
            guard policy.statuses.contains(status) else { return .stop }
            if let asked = retryAfter.flatMap({ HTTPDate.delay(retryAfter: $0, now: date) }) {
                guard asked <= policy.maximumRetryAfter else { return .stop }
                wait = max(wait, asked)
            }
        }
        return fits(wait, into: remaining) ? .retry(after: wait) : .stop
    }

    /// Returns true if an attempt after such a wait starts before the deadline; `remaining` is the time left, nil for
    /// no deadline.
    package static func fits(_ wait: Duration, into remaining: Duration?) -> Bool {
        remaining.map { wait < $0 } ?? true
    }
}

extension PreparedRequest {
    /// Returns true if the request may be sent more than once, by its ``RequestOptions/retry`` or else by `rule`.
    package func mayBeRepeated(by rule: RetryEligibility) -> Bool {
        let hasKey = head.headerFields.contains { $0.name.canonicalName == "idempotency-key" }
        return (options.retry ?? rule).allows(head.method, hasIdempotencyKey: hasKey)
    }
}
