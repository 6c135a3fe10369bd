internal import HTTPTypes
internal import NetCore

/// The part of an error message that describes the retries: their number, the time waited, and why there isn't
/// another one.
struct RetryNote {
    /// The reason; nil if the budget is used up.
    let reason: RetryDecision.Reason?
    /// The result of the last attempt: `status 404`.
    let result: String
    let method: HTTPRequest.Method
    let policy: RetryPolicy
    let context: CallContext

    /// Nil if there was no retry, and no limit prevented one.
    var text: String? {
        let retries = context.call.retries
        guard retries > 0 else { return obstacle }
        let waits = context.call.retryWaits.total.seconds(places: 3)
        let past = "this was after \(retries == 1 ? "1 retry" : "\(retries) retries") and \(waits) s of waiting"
        return [past, obstacle ?? end].compactMap { $0 }.joined(separator: "; ")
    }

    /// The limit that prevented another attempt; nil if there wouldn't have been one.
    private var obstacle: String? {
        switch reason {
        case nil: return "no further attempt was made, because the retry budget is used up"
        case .retryAfter(let asked):
            return "no further attempt was made, because the server asks for a wait of \(asked.seconds(places: 3)) s, "
                + "and the policy waits at most \(policy.maximumRetryAfter.seconds(places: 3)) s"
        case .deadline(let wait):
            guard let deadline = context.deadline else { return nil }
            let left = deadline - context.environment.clock.now()
            // The error of a deadline that has passed already explains it.
            guard left > .zero else { return nil }
            return "another attempt would have come after \(wait.seconds(places: 3)) s, but the total timeout of "
                + "\((deadline - context.start).seconds(places: 3)) s leaves \(left.seconds(places: 3)) s"
        case .result, .choice, .attempts, .eligibility, .body: return nil
        }
    }

    /// The reason why retries ended without a limit.
    private var end: String? {
        switch reason {
        case .attempts: "the policy allows \(policy.maximumAttempts) attempts"
        case .result: "\(result) is not retried"
        case .choice: "the request's own decision ended the retries"
        case .eligibility: "a \(method.rawValue) request is not repeated"
        case .body: "its body cannot be sent again"
        case .retryAfter, .deadline, nil: nil
        }
    }
}
