public import NetCore

/// Sends a request a second time if its response is late, and returns the response that arrives first. This shortens
/// the few calls that take much longer than the rest.
///
/// Applies only to requests that may be repeated (``NetCore/RetryEligibility``) and whose body can be sent again. The
/// slower request is cancelled. A budget limits the number of copies: each copy withdraws from it.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [HedgingMiddleware(after: .milliseconds(300))]
///     }
public struct HedgingMiddleware: Middleware {
    /// The time to wait for the first response before the copy is sent.
    public let delay: Duration
    /// The requests that may be sent twice, unless a request has its own rule. Default
    /// ``NetCore/RetryEligibility/automatic``.
    public let eligibility: RetryEligibility
    /// The limit of copies. Default one for every ten calls.
    public let budget: RetryBudget

    /// Creates the middleware.
    public init(
        after delay: Duration, eligibility: RetryEligibility = .automatic, budget: RetryBudget = RetryBudget(ratio: 0.1)
    ) {
        self.delay = delay
        self.eligibility = eligibility
        self.budget = budget
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        budget.deposit()
        guard request.isReplayable, request.options.webSocket == nil, request.mayBeRepeated(by: eligibility) else {
            return try await next(request, context)
        }
        return try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask { await Answer(request, context, next) }
            group.addTask {
                try? await context.environment.clock.sleep(for: delay)
                return .isLate
            }
            var (failure, waiting) = (nil as NetError?, 1)
            var winner: StreamedResponse?
            while let answer = try await group.next() {
                switch answer {
                case .response(let response) where winner == nil:
                    winner = response
                    group.cancelAll()
                case .response(let response): response.body.cancel()
                case .isLate:
                    guard winner == nil, failure == nil, !Task.isCancelled, budget.withdraw() else { continue }
                    waiting += 1
                    context.announceAttempt(reason: "no response yet, sent again", cause: .hedge)
                    group.addTask { await Answer(request, context, next) }
                case .failure(let error):
                    failure = failure ?? error
                    waiting -= 1
                    // Only the timer is left: a copy is sent only if the response is late, not after a failure.
                    if waiting == 0 { group.cancelAll() }
                }
            }
            if let winner { return winner }
            throw failure
                ?? context.error(.cancelled, phase: .queued, message: "the call was cancelled while it waited")
        }
    }

    private enum Answer: Sendable {
        case response(StreamedResponse)
        case failure(NetError)
        case isLate

        init(_ request: PreparedRequest, _ context: CallContext, _ next: Next) async {
            do throws(NetError) {
                self = .response(try await next(request, context))
            } catch {
                self = .failure(error)
            }
        }
    }
}
