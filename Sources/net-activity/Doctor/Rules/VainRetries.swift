#if Tools
internal import NetCore
internal import NetStore

/// Calls that fail despite retries.
enum VainRetries: DoctorRule {
    static let name = "vain-retries"
    static let leastCalls = 3

    static func findings(in examination: Examination) -> [Finding] {
        examination.endpoints.compactMap { endpoint, calls in
            let retried = calls.filter { $0.item.retries > 0 }
            guard retried.count >= leastCalls, retried.allSatisfy(\.isBad) else { return nil }
            let retries = retried.reduce(0) { $0 + $1.item.retries }
            let waits = Figures.sum(retried.flatMap { $0.attempts.compactMap(\.retryDelay) })
            let reason = Figures.most(retried.flatMap { $0.attempts.compactMap(\.retryReason) })?.value
            return Finding(
                name, .error, "Retries of \(endpoint.name) never help",
                """
                \(Figures.counted(retried.count, "call")) were sent again \(Figures.counted(retries, "time"))\
                \(reason.map { ", mostly after \($0)" } ?? ""); none succeeded, and the pauses took \(waits.short).
                """,
                advice: """
                    A failure that is the same each time isn't temporary: remove it from RetryPolicy.statuses, or \
                    stop it in the request's own retryDecision.
                    """,
                filter: endpoint.filter & .retried, calls: retried)
        }
    }
}
#endif
