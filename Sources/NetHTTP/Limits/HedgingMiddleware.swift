public import NetCore

/// Sends a request a second time when its answer does not come soon, and takes the one that comes first: against the few
/// answers that take much longer than the rest.
///
/// Only for what may be repeated (``NetCore/RetryEligibility``) with a body that can be sent again. The slower one is
/// cancelled. A budget keeps the copies few: each takes one out.
///
///     let client = HTTPClient(
///         configuration: .init(
///             baseURL: "https://api.example.com", middleware: [HedgingMiddleware(after: .milliseconds(300))]))
public struct HedgingMiddleware: Middleware {
    /// How long the first is waited for.
    public let delay: Duration
    /// Which requests may be sent twice, where the request says nothing. Default ``NetCore/RetryEligibility/automatic``.
    public let eligibility: RetryEligibility
    /// How many copies there may be. Default one for each ten calls.
    public let budget: RetryBudget

    /// Takes the rules.
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
                    var second = context
                    try await second.repeatRequest(reason: "no answer yet, sent a second time")
                    group.addTask { [second] in await Answer(request, second, next) }
                case .failure(let error):
                    failure = failure ?? error
                    waiting -= 1
                    // Nothing is waited for but the time at which another would be sent: that is for late ones alone.
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
