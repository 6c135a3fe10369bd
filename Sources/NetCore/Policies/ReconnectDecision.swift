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
    /// The credential was refused: the WebSocket is opened with a new one, once. Without a new one, it stays closed.
    case renewCredential

    /// Returns the decision.
    ///
    /// - Parameters:
    ///   - error: The error with which the WebSocket ended.
    ///   - failures: The number of consecutive failed attempts; 0 for the loss of a stable connection.
    ///   - waits: The number of waits since the last stable connection, including the one that may follow.
    ///   - isNeeded: True if the WebSocket is needed by channels or subscriptions. Default false.
    ///   - policy: The rules.
    ///   - date: The wall clock, for a `Retry-After` with a date.
    ///   - random: A uniform number in `0 ..< 1`.
    package static func decide(
        _ error: NetError, failures: Int, waits: Int, isNeeded: Bool = false, policy: ReconnectPolicy, date: Date,
        random: Double
    ) -> ReconnectDecision {
        let action = error.closure.map { policy.closeCodes[Int($0.decisiveCode.rawValue)] }
        if action == .renewCredential || error.status.map({ policy.statuses[$0] }) == .renewCredential {
            return .renewCredential
        }
        guard policy.allows(failures: failures), action != .stop, action != .retryIfNeeded || isNeeded else {
            return .stop
        }
        let wait = policy.backoff.delay(afterAttempt: waits, random: random)
        switch error.code {
        case .dns, .connect, .connectionLost, .timeout, .unknown:
            return .retry(after: wait)
        case .webSocketClosed:
            // A server that is going away spreads the reconnection of its clients over some time.
            let asked = error.closure.flatMap { $0.isByPeer ? RetryAfterReason.wait(in: $0.reason) : nil }
            return policy.wait(wait, retryAfter: asked).map { .retry(after: $0) } ?? .stop
        case .unacceptableStatus:
            guard let status = error.status, policy.repeats(status: status) else { return .stop }
            let asked = error.response?.head[.retryAfter].flatMap { HTTPDate.delay(retryAfter: $0, now: date) }
            return policy.wait(wait, retryAfter: asked).map { .retry(after: $0) } ?? .stop
        default:
            return .stop
        }
    }
}
