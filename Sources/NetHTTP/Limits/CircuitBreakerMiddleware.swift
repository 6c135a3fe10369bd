internal import NetClient
public import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Stops requests to a failing origin for a while: they fail immediately with `.limited`, which gives the server time
/// to recover. The error's ``NetCore/NetError/isCircuitOpen`` is true, and its ``NetCore/OpenCircuit`` contains the
/// failures and the time of the next attempt.
///
/// Failures are connections that can't be established or break, timeouts, and the statuses in ``failureStatuses``.
/// After the open time, one request at a time checks whether the server has recovered. Put it inside of
/// ``RetryMiddleware``, so that it sees each attempt.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [RetryMiddleware(), CircuitBreakerMiddleware()]
///     }
public struct CircuitBreakerMiddleware: Middleware {
    /// The thresholds for opening the circuit, and the time until the first probe.
    public let policy: Policy
    /// The statuses that count as failures. Default 500, 502, 503, 504.
    public let failureStatuses: Set<Int>
    private let breakers: PerOrigin<CircuitBreakerStateMachine>

    /// Creates the middleware; each origin has a separate circuit breaker.
    public init(
        _ policy: Policy = Policy(),
        failureStatuses: Set<Int> = [500, 502, 503, 504]
    ) {
        self.policy = policy
        self.failureStatuses = failureStatuses
        breakers = PerOrigin { CircuitBreakerStateMachine(policy) }
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        let (origin, clock) = (request.origin, context.environment.clock)
        let (admission, trip) = breakers.change(origin) { [now = clock.now()] in ($0.admit(now: now), $0.trip) }
        if case .refuse(let wait) = admission {
            throw Self.refusal(
                OpenCircuit(origin: origin, trip: trip ?? .init(failures: 0, calls: 0), wait: wait), context)
        }
        let wasProbe = admission == .goAsProbe
        let end = { @Sendable [breakers] (outcome: CircuitBreakerStateMachine.Outcome) in
            breakers.change(origin) { [now = clock.now()] in $0.ended(outcome, wasProbe: wasProbe, now: now) }
        }
        do {
            var response = try await next(request, context)
            if response.isUnsent {
                end(.unknown)
            } else if failureStatuses.contains(response.status.code) {
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

    private static func refusal(_ circuit: OpenCircuit, _ context: CallContext) -> NetError {
        let date = context.environment.clock.date().addingTimeInterval(circuit.wait.inSeconds)
        let next =
            circuit.wait > .zero
            ? "the next call is let through in \(circuit.wait.seconds(places: 3)) s, at \(HTTPDate.string(from: date))"
            : "one call is trying it now"
        return context.error(
            .limited, phase: .queued, message: "\(circuit); nothing was sent, and \(next)", underlying: circuit)
    }

    /// Returns the outcome for an error. A failure that the server didn't cause is neither a success nor a failure.
    private static func outcome(of error: NetError) -> CircuitBreakerStateMachine.Outcome {
        switch error.code {
        case .dns, .connect, .tls, .connectionLost, .timeout, .protocolViolation, .invalidFraming: .failure
        default: .unknown
        }
    }
}
