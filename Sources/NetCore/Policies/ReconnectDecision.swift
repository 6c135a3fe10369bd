#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The decision about a WebSocket that ended or couldn't be opened: a pure function of the error, the time and a random
/// number.
package enum ReconnectDecision: Sendable, Hashable {
    /// The WebSocket stays closed.
    case stop
    /// The WebSocket is opened again after a wait.
    case retry(after: Duration)

    /// Returns the decision.
    ///
    /// - Parameters:
    ///   - error: The error with which it ended.
    ///   - failures: The number of consecutive failed attempts, including this one; 1 for a connection that had been
    ///     open.
    ///   - policy: The rules.
    ///   - date: The wall clock, for a `Retry-After` with a date.
    ///   - random: A uniform number in `0 ..< 1`.
    package static func decide(
        _ error: NetError, failures: Int, policy: ReconnectPolicy, date: Date, random: Double
    ) -> ReconnectDecision {
        guard policy.allows(failures: failures) else { return .stop }
        if let code = error.closure?.code, policy.finalCodes.contains(where: { $0.contains(code.rawValue) }) {
            return .stop
        }
        let wait = policy.backoff.delay(afterAttempt: failures, random: random)
        switch error.code {
        case .dns, .connect, .connectionLost, .timeout, .webSocketClosed, .unknown:
            return .retry(after: wait)
        case .unacceptableStatus:
            guard let status = error.status, policy.repeats(status: status) else { return .stop }
            let asked = error.response?.head[.retryAfter].flatMap { HTTPDate.delay(retryAfter: $0, now: date) }
            return policy.wait(wait, retryAfter: asked).map { .retry(after: $0) } ?? .stop
        default:
            return .stop
        }
    }
}
