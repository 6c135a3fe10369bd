#if Tools
internal import NetCore
internal import NetStore

/// A summary of how a call spent its time: its largest parts, in descending order.
struct TimeSpent {
    /// The minimum percentage of the call for a part to be listed.
    private static let leastPercent = 10
    private static let most = 3

    /// A text such as `98 % waiting for the first byte, 1 % …`; nil for a call without measured parts, and for one
    /// without a dominant part.
    let text: String?

    init(_ detail: StoredDetail) {
        guard detail.item.kind == .call, let whole = detail.item.duration, whole > .zero, !detail.attempts.isEmpty
        else {
            text = nil
            return
        }
        var parts = detail.attempts.flatMap { Self.parts(of: $0, isOnly: detail.attempts.count == 1) }
        let known = parts.reduce(Duration.zero) { $0 + $1.time }
        parts.append((whole - known, "elsewhere: in the program, its middleware, or a body that was read late"))
        let shares = parts.map { (percent: Int(($0.time.inSeconds / whole.inSeconds * 100).rounded()), name: $0.name) }
        let told = shares.filter { $0.percent >= Self.leastPercent }.sorted { $0.percent > $1.percent }.prefix(
            Self.most)
        text = told.isEmpty ? nil : told.map { "\($0.percent) % \($0.name)" }.joined(separator: ", ")
    }

    private static func parts(of attempt: StoredAttempt, isOnly: Bool) -> [(time: Duration, name: String)] {
        let place = isOnly ? "" : " in attempt \(attempt.number)"
        let phases = attempt.phases
        var parts: [(time: Duration, name: String)] = [
            (phases.queued, "waiting for a connection"), (phases.lookup, "resolving the host name"),
            (phases.connect, "connecting"), (phases.secure, "in the TLS handshake"),
            (phases.sending, "sending the request"), (phases.waiting, "waiting for the first byte"),
            (phases.download, "receiving the response"),
        ].compactMap { time, name in time.map { ($0, name + place) } }
        if let pause = attempt.retryDelay {
            let reason = attempt.retryReason.map { " (\($0))" } ?? ""
            parts.append((pause, "in the pause after attempt \(attempt.number)\(reason)"))
        }
        return parts
    }
}
#endif
