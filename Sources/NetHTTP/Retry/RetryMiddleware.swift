internal import HTTPTypes
public import NetCore

/// Sends a request again after a failure that may be temporary: a lost connection, a timeout, 429, 500, 502, 503, 504.
///
/// Only requests that may be repeated are sent again (``RetryEligibility``), and only with a body that can be.
/// `Retry-After` is honored, the call's deadline is never exceeded, and a cancelled task stops waiting immediately. A
/// streamed response is requested again until its head is returned, a collected one until its body is complete.
///
/// When the attempts are used up, the call ends with the last response or error. The error describes the number of
/// retries, the time waited for them, and the reason why they ended. It also explains if a deadline, a long
/// `Retry-After` or the budget prevented the first retry.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [RetryMiddleware()] }
///
/// A request may have its own rules: ``RequestOptions/retry``, ``RequestOptions/retryPolicy`` and
/// ``RequestOptions/retryDecision``.
public struct RetryMiddleware: Middleware {
    /// The number of attempts, the waits, and the failures after which a request is sent again.
    public var policy: RetryPolicy
    /// The limit of repeated attempts for all calls together; nil for no limit. Default nil.
    public var budget: RetryBudget?
    /// Called after each attempt, to decide about another one, unless the request has its own
    /// ``RequestOptions/retryDecision``; it must not block. Default nil: the policy decides.
    public var decision: (@Sendable (FinishedAttempt) -> RetryChoice)?

    /// Creates the middleware; the default policy makes three attempts.
    ///
    ///     let retry = RetryMiddleware(RetryPolicy(maximumAttempts: 4)) { attempt in
    ///         attempt.status == 409 ? .retry(after: .seconds(1)) : .byPolicy
    ///     }
    public init(
        _ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget? = nil,
        decision: (@Sendable (FinishedAttempt) -> RetryChoice)? = nil
    ) {
        self.policy = policy
        self.budget = budget
        self.decision = decision
    }

    /// Creates the middleware with the default policy and another number of attempts, the first one included.
    public init(maximumAttempts: Int, budget: RetryBudget? = nil) {
        self.init(RetryPolicy(maximumAttempts: maximumAttempts), budget: budget)
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        var (request, context) = (request, context)
        budget?.deposit()
        let decision = request.options.retryDecision ?? decision
        while true {
            let (again, reason): (Again, String)
            do throws(NetError) {
                var response = try await next(request, context)
                // Most responses need no decision, and therefore neither the time nor a random number.
                let status = response.status.code
                if decision == nil {
                    guard status != 200, rules(for: request).statuses.contains(status) else {
                        guard status != 200, context.call.retries > 0 else { return response }
                        return response.noting(note(.result, "status \(status)", request, context))
                    }
                }
                guard !response.isUnsent else { return response }
                var choice = RetryChoice.byPolicy
                if let decision {
                    let body = try await response.collectBody(as: context.delivery)
                    choice = decision(
                        FinishedAttempt(
                            request, head: response.head, body: body, attempt: context.call.retries + 1,
                            elapsed: context.elapsed))
                }
                let result = RetryDecision.Result.response(status: status, retryAfter: response.head[.retryAfter])
                switch judge(result, choice, "status \(status)", request, context) {
                case .stop(let note): return response.noting(note)
                case .again(let next):
                    await response.discardBody()
                    (again, reason) = (next, "status \(status)")
                }
            } catch {
                guard !error.isCancellation else { throw error }
                let choice = decision?(
                    FinishedAttempt(
                        request, error: error, attempt: context.call.retries + 1, elapsed: context.elapsed))
                switch judge(.failure(error), choice ?? .byPolicy, "the code \(error.code)", request, context) {
                case .stop(let note): throw error.noting(note)
                case .again(let next): (again, reason) = (next, error.code.rawValue)
                }
            }
            request = again.request ?? request
            context.call.countRetry(after: again.wait)
            try await context.repeatRequest(after: again.wait, reason: reason)
        }
    }

    /// Another attempt.
    private struct Again {
        let wait: Duration
        /// The request that is sent; nil for the same one.
        let request: PreparedRequest?
    }

    private enum Verdict {
        /// The call ends with this result; the note is for its error.
        case stop(note: String?)
        case again(Again)
    }

    private func rules(for request: PreparedRequest) -> RetryPolicy { request.options.retryPolicy ?? policy }

    private func judge(
        _ result: RetryDecision.Result, _ choice: RetryChoice, _ name: String, _ request: PreparedRequest,
        _ context: CallContext
    ) -> Verdict {
        var changed: PreparedRequest?
        if case .retry(_, let next) = choice { changed = next }
        // Attempts by other middleware, such as with a new credential, don't count, but they don't reset the policy
        // either.
        let (clock, call) = (context.environment.clock, context.call)
        let decision = RetryDecision.decide(
            result, request: changed ?? request, attempt: call.retries + 1, policy: rules(for: request), choice: choice,
            previousWait: call.retryWaits.last, date: clock.date(),
            remaining: context.deadline.map { $0 - clock.now() }, random: context.environment.random.unit())
        switch decision {
        case .stop(let reason): return .stop(note: note(reason, name, request, context))
        case .retry(let wait):
            if let budget, !budget.withdraw() { return .stop(note: note(nil, name, request, context)) }
            return .again(Again(wait: wait, request: changed))
        }
    }

    /// Returns the note for the error of a call that isn't retried any more; a nil reason means that the budget is
    /// used up.
    private func note(
        _ reason: RetryDecision.Reason?, _ result: String, _ request: PreparedRequest, _ context: CallContext
    ) -> String? {
        RetryNote(
            reason: reason, result: result, method: request.head.method, policy: rules(for: request), context: context
        ).text
    }
}

extension StreamedResponse {
    /// Reads the body if the call collects it, and returns its bytes; nil if the body is streamed or too long.
    fileprivate mutating func collectBody(as delivery: BodyDelivery) async throws(NetError) -> Bytes? {
        if let whole = body.whole { return whole }
        guard case .collected(let limit) = delivery, body.cut == nil else { return nil }
        let isWhole: Bool
        (body, isWhole) = try await body.collected(upTo: limit)
        return isWhole ? body.whole : nil
    }
}
