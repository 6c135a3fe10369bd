#if Tools
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Many retries to one host within a short time, which keep a struggling server from recovering.
enum RetryStorms: DoctorRule {
    static let name = "retry-storms"
    static let leastRetries = 20
    /// The time window, in seconds, in which the minimum number of retries must have been sent.
    static let window = 10.0
    /// The minimum percentage of retries among the attempts in the window.
    static let leastPercent = 50

    static func findings(in examination: Examination) -> [Finding] {
        examination.hosts.compactMap { host, calls in
            guard let storm = worst(calls) else { return nil }
            let from = Date(timeIntervalSince1970: storm.start.rounded(.down))
            let inside = calls.filter {
                $0.item.retries > 0 && $0.start <= storm.start + window && $0.end >= storm.start
            }
            return Finding(
                name, .error, "Retry storm at \(host)",
                """
                \(Figures.grouped(storm.retries)) of \(Figures.counted(storm.attempts, "attempt")) within \
                \(Figures.seconds(window)) from \(from.table) on were retries.
                """,
                advice: """
                    Give RetryMiddleware a RetryBudget, which limits the retries of all calls together, and a backoff with \
                    jitter, so that clients don't retry at the same time.
                    """,
                filter: .host(ActivityFilter.literal(host)) & .retried, calls: inside)
        }
    }

    /// Returns the window with the most retries; nil if none has enough.
    private static func worst(_ calls: [ExaminedCall]) -> (start: Double, retries: Int, attempts: Int)? {
        var attempts: [(time: Double, isRetry: Bool)] = []
        for call in calls {
            var follows = false
            for attempt in call.attempts {
                attempts.append((attempt.start(in: call), follows))
                follows = attempt.retryReason != nil
            }
        }
        attempts.sort { $0.time < $1.time }
        var (first, retries) = (0, 0)
        var worst: (start: Double, retries: Int, attempts: Int)?
        for (index, attempt) in attempts.enumerated() {
            retries += attempt.isRetry ? 1 : 0
            while attempts[first].time < attempt.time - window {
                retries -= attempts[first].isRetry ? 1 : 0
                first += 1
            }
            let count = index - first + 1
            guard retries >= leastRetries, retries * 100 >= count * leastPercent, retries > worst?.retries ?? 0 else {
                continue
            }
            worst = (attempts[first].time, retries, count)
        }
        return worst
    }
}
#endif
