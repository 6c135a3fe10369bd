internal import HTTPTypes
public import NetCore

/// Sends a request again after a failure that may be temporary: a lost connection, a timeout, 429, 500, 502, 503, 504.
///
/// Only requests that may be repeated are sent again (``RetryEligibility``), and only with a body that can be. `Retry-After`
/// is honored, the call's deadline is never exceeded, and a cancelled task stops waiting immediately. A streamed response is
/// requested again until its head is returned, a collected one until its body is complete. When the attempts are used up,
/// the call ends with the last response or error; the error says if a deadline, a long `Retry-After` or the budget prevented
/// another attempt.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [RetryMiddleware()] }
public struct RetryMiddleware: Middleware {
    /// The number of attempts, the waits, and the failures after which a request is sent again.
    public var policy: RetryPolicy
    /// The limit of repeated attempts for all calls together; nil for no limit. Default nil.
    public var budget: RetryBudget?

    /// Creates the middleware; the default policy makes three attempts.
    public init(_ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget? = nil) {
        self.policy = policy
        self.budget = budget
    }

    /// Creates the middleware with the default policy and another number of attempts, the first one included.
    public init(maximumAttempts: Int, budget: RetryBudget? = nil) {
        self.init(RetryPolicy(maximumAttempts: maximumAttempts), budget: budget)
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        var context = context
        budget?.deposit()
        while true {
            let (wait, reason): (Duration, String)
            do throws(NetError) {
                let response = try await next(request, context)
                // Most responses need no decision, and neither the time nor the random number that one takes.
                let status = response.status.code
                guard status != 200, policy.statuses.contains(status), !response.isUnsent else { return response }
                let result = RetryDecision.Result.response(status: status, retryAfter: response.head[.retryAfter])
                switch decide(result, request, context) {
                case .stop(let note): return response.noting(note)
                case .retry(let pause):
                    await response.discardBody()
                    (wait, reason) = (pause, "status \(status)")
                }
            } catch {
                switch decide(.failure(error), request, context) {
                case .stop(let note): throw error.noting(note)
                case .retry(let pause): (wait, reason) = (pause, error.code.rawValue)
                }
            }
            context.call.countRetry()
            try await context.repeatRequest(after: wait, reason: reason)
        }
    }

    private enum Verdict {
        /// The call ends with this result; the note says why there isn't another attempt, if there would have been one.
        case stop(note: String?)
        case retry(after: Duration)
    }

    private func decide(
        _ result: RetryDecision.Result, _ request: PreparedRequest, _ context: CallContext
    ) -> Verdict {
        // Attempts that other middleware made, such as one with a new credential, don't count; but they don't make the
        // policy begin anew either.
        let attempt = context.call.retries + 1
        let (clock, random) = (context.environment.clock, context.environment.random.unit())
        func decision(_ policy: RetryPolicy) -> RetryDecision {
            RetryDecision.decide(
                result, request: request, attempt: attempt, policy: policy, date: clock.date(), remaining: nil,
                random: random)
        }
        guard case .retry(let wait) = decision(policy) else {
            guard case .response(_, .some) = result else { return .stop(note: nil) }
            var patient = policy
            patient.maximumRetryAfter = .seconds(Int64.max)
            guard case .retry(let asked) = decision(patient) else { return .stop(note: nil) }
            return .stop(
                note:
                    "another attempt was not made, because the server asks for \(asked.seconds(places: 3)) s before it, "
                    + "and the policy waits \(policy.maximumRetryAfter.seconds(places: 3)) s at most")
        }
        if let deadline = context.deadline, !RetryDecision.fits(wait, into: deadline - clock.now()) {
            return .stop(note: note(of: wait, past: deadline, context))
        }
        if let budget, !budget.withdraw() {
            return .stop(note: "another attempt was not made, because the budget of repetitions is used up")
        }
        return .retry(after: wait)
    }

    /// Returns the reason for not waiting past the deadline; nil if the deadline has passed, because that error says so.
    private func note(of wait: Duration, past deadline: Duration, _ context: CallContext) -> String? {
        let left = deadline - context.environment.clock.now()
        guard left > .zero else { return nil }
        return "another attempt would have come after \(wait.seconds(places: 3)) s, but the total time-out of "
            + "\((deadline - context.start).seconds(places: 3)) s leaves \(left.seconds(places: 3)) s"
    }
}
