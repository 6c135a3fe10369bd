public import NetCore

/// Makes no requests to an origin that fails, for a while: they end at once with `.limited`, and the server can recover.
///
/// A failure is a connection that cannot be made or breaks, a time-out, and a status of ``failureStatuses``. One request at a
/// time then finds out whether it is well again. Put it inside of ``RetryMiddleware``, so that it sees each attempt.
///
///     let client = HTTPClient(
///         configuration: .init(
///             baseURL: "https://api.example.com", middleware: [RetryMiddleware(), CircuitBreakerMiddleware()]))
public struct CircuitBreakerMiddleware: Middleware, CallEnding {
    /// The rules.
    public let policy: CircuitBreakerStateMachine.Policy
    /// Answers that are failures. Default 500, 502, 503, 504.
    public let failureStatuses: Set<Int>
    private let breakers: PerOrigin<CircuitBreakerStateMachine>

    /// The defaults, with the settings that are given.
    public init(
        _ policy: CircuitBreakerStateMachine.Policy = CircuitBreakerStateMachine.Policy(),
        failureStatuses: Set<Int> = [500, 502, 503, 504]
    ) {
        self.policy = policy
        self.failureStatuses = failureStatuses
        breakers = PerOrigin { CircuitBreakerStateMachine(policy) }
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let (origin, clock) = (request.origin, context.environment.clock)
        let admission = breakers.change(origin) { [now = clock.now()] in $0.admit(now: now) }
        if case .refuse(let wait) = admission {
            let text = wait > .zero ? "another one is let through in \(wait.seconds(places: 3)) s" : "one tries it now"
            throw context.error(
                .limited, phase: .queued, message: "too many requests to \(origin) failed; \(text)")
        }
        let wasProbe = admission == .goAsProbe
        let end = { @Sendable [breakers] (outcome: CircuitBreakerStateMachine.Outcome) in
            breakers.change(origin) { [now = clock.now()] in $0.ended(outcome, wasProbe: wasProbe, now: now) }
        }
        do {
            var response = try await next(request, context)
            if failureStatuses.contains(response.head.status.code) {
                end(.failure)
            } else {
                response.body = response.body.onEnd { bodyEnd in
                    switch bodyEnd {
                    case .finished, .cancelled: end(.success)
                    case .failed(let error, _): end(Self.outcome(of: error))
                    }
                }
            }
            return response
        } catch {
            end(Self.outcome(of: error))
            throw error
        }
    }

    /// What is not the server's says nothing of it.
    private static func outcome(of error: NetError) -> CircuitBreakerStateMachine.Outcome {
        switch error.code {
        case .dns, .connect, .tls, .connectionLost, .timeout, .protocolViolation, .invalidFraming: .failure
        default: .unknown
        }
    }
}
