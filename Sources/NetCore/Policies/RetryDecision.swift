internal import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The decision about a finished attempt: a pure function of its result, the time and a random number.
package enum RetryDecision: Sendable, Hashable {
    /// The result of the attempt is the result of the call.
    case stop(Reason)
    /// The request is sent again after a wait.
    case retry(after: Duration)

    /// The reason why there is no further attempt.
    package enum Reason: Sendable, Hashable {
        /// The policy doesn't retry this result.
        case result
        /// The caller decided to stop.
        case choice
        /// The policy's maximum number of attempts is reached.
        case attempts
        /// The request may not be repeated.
        case eligibility
        /// The body can't be sent again.
        case body
        /// The server asks for a longer wait than the policy allows.
        case retryAfter(Duration)
        /// The attempt would start after the deadline.
        case deadline(wait: Duration)
    }

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
    ///   - request: The request, with its method, its body and its ``RequestOptions/retry``.
    ///   - attempt: The number of the attempt that ended, counted from 1.
    ///   - policy: The rules.
    ///   - choice: The caller's own decision. Default ``RetryChoice/byPolicy``.
    ///   - previousWait: The wait before the attempt; nil if there was none.
    ///   - date: The wall clock, for a `Retry-After` with a date.
    ///   - remaining: The time left until the call's deadline; nil if there is no deadline.
    ///   - random: A uniform number in `0 ..< 1`.
    package static func decide(
        _ result: Result, request: PreparedRequest, attempt: Int, policy: RetryPolicy,
        choice: RetryChoice = .byPolicy, previousWait: Duration? = nil, date: Date, remaining: Duration?, random: Double
    ) -> RetryDecision {
        var chosenWait: Duration?
        switch choice {
        case .stop: return .stop(.choice)
        case .byPolicy: guard policy.retries(result) else { return .stop(.result) }
        case .retry(let wait, _): chosenWait = wait
        }
        guard attempt < policy.maximumAttempts else { return .stop(.attempts) }
        guard request.mayBeRepeated(by: policy.eligibility) else { return .stop(.eligibility) }
        guard request.isReplayable else { return .stop(.body) }
        var wait =
            chosenWait.map { max(.zero, $0) }
            ?? policy.backoff.delay(afterAttempt: attempt, previous: previousWait, random: random)
        if chosenWait == nil, case .response(_, let retryAfter?) = result,
            let asked = HTTPDate.delay(retryAfter: retryAfter, now: date)
        {
            guard asked <= policy.maximumRetryAfter else { return .stop(.retryAfter(asked)) }
            wait = max(wait, asked)
        }
        return fits(wait, into: remaining) ? .retry(after: wait) : .stop(.deadline(wait: wait))
    }

    /// Returns true if an attempt after this wait starts before the deadline. `remaining` is the time left; nil if
    /// there is no deadline.
    private static func fits(_ wait: Duration, into remaining: Duration?) -> Bool {
        remaining.map { wait < $0 } ?? true
    }
}

extension RetryPolicy {
    fileprivate func retries(_ result: RetryDecision.Result) -> Bool {
        switch result {
        case .failure(let error): errors.contains(error.code)
        case .response(let status, _): statuses.contains(status)
        }
    }
}

extension PreparedRequest {
    /// Returns true if the request may be sent more than once, according to its ``RequestOptions/retry`` or, if that is
    /// nil, `rule`.
    package func mayBeRepeated(by rule: RetryEligibility) -> Bool {
        let hasKey = head.headerFields.contains { $0.name.canonicalName == "idempotency-key" }
        return (options.retry ?? rule).allows(head.method, hasIdempotencyKey: hasKey)
    }
}
