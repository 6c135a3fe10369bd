internal import HTTPTypes
public import NetCore

/// Sends a request again after a failure that may pass: a lost connection, a time-out, 429, 500, 502, 503, 504.
///
/// Only requests that may be repeated are (``RetryEligibility``), and only with a body that can be sent again. A
/// `Retry-After` is honoured, the call's deadline is never passed, and a cancelled task stops waiting at once. A
/// streamed answer is repeated until its head is handed out, a collected one until its body is whole. When the attempts
/// are used up, the last answer or error is the call's.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://api.example.com", middleware: [RetryMiddleware()]))
public struct RetryMiddleware: Middleware, CallEnding {
    /// The rules.
    public var policy: RetryPolicy
    /// How many attempts there may be beside the first ones, of all calls together; nil for no limit. Default nil.
    public var budget: RetryBudget?

    /// Takes the rules; the default is three attempts.
    public init(_ policy: RetryPolicy = RetryPolicy(), budget: RetryBudget? = nil) {
        self.policy = policy
        self.budget = budget
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        var context = context
        // Attempts that others made, such as one with a new credential, are none of these.
        let before = context.attempt - 1
        budget?.deposit()
        while true {
            do {
                let response = try await next(request, context)
                // Most answers need no decision, nor the time and the random number that one takes.
                let status = response.head.status.code
                guard status != 200, policy.statuses.contains(status) else { return response }
                let result = RetryDecision.Result.response(status: status, retryAfter: response.head[.retryAfter])
                guard case .retry(let wait) = decide(result, request, context, context.attempt - before) else {
                    return response
                }
                await response.body.finishOrCancel()
                try await pause(&context, wait, reason: "status \(status)")
            } catch let error as NetError {
                guard case .retry(let wait) = decide(.failure(error), request, context, context.attempt - before) else {
                    throw error
                }
                try await pause(&context, wait, reason: error.code.rawValue)
            }
        }
    }

    private func decide(
        _ result: RetryDecision.Result, _ request: PreparedRequest, _ context: CallContext, _ attempt: Int
    ) -> RetryDecision {
        let environment = context.environment
        let decision = RetryDecision.decide(
            result, request: request, attempt: attempt, policy: policy, date: environment.clock.date(),
            remaining: context.deadline.map { $0 - environment.clock.now() }, random: environment.random.unit())
        if case .retry = decision, let budget, !budget.withdraw() { return .stop }
        return decision
    }

    private func pause(_ context: inout CallContext, _ wait: Duration, reason: String) async throws {
        context.record(.retrying(attempt: context.attempt + 1, after: wait, reason: reason))
        try await context.pause(for: wait)
        context.attempt += 1
    }
}
