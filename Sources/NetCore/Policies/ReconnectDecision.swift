#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The verdict on a WebSocket that ended or could not be opened: a pure function of the error, the time and a random number.
public enum ReconnectDecision: Sendable, Hashable {
    /// It stays closed.
    case stop
    /// Open it again after a wait.
    case retry(after: Duration)

    /// Decides.
    ///
    /// - Parameters:
    ///   - error: How it ended.
    ///   - failures: Attempts that failed one after another, this one included; 1 for a connection that had stood.
    ///   - policy: The rules.
    ///   - date: The wall clock, for a `Retry-After` with a date.
    ///   - random: A uniform number in `0 ..< 1`.
    public static func decide(
        _ error: NetError, failures: Int, policy: ReconnectPolicy, date: Date, random: Double
    ) -> ReconnectDecision {
        if let maximum = policy.maximumAttempts, failures > maximum { return .stop }
        if let code = error.closure?.code, policy.finalCodes.contains(where: { $0.contains(code.rawValue) }) {
            return .stop
        }
        var wait = policy.backoff.delay(afterAttempt: failures, random: random)
        switch error.code {
        case .dns, .connect, .connectionLost, .timeout, .webSocketClosed, .unknown:
            return .retry(after: wait)
        case .unacceptableStatus:
            guard let status = error.status, [408, 425, 429].contains(status) || (500..<600).contains(status) else {
                return .stop
            }
            let asked = error.response?.head[.retryAfter].flatMap { HTTPDate.delay(retryAfter: $0, now: date) }
            if let asked { wait = max(wait, asked) }
            return .retry(after: wait)
        default:
            return .stop
        }
    }
}
