#if Tools
internal import NetCore
internal import NetStore

/// Host names that take long to look up.
enum SlowNames: DoctorRule {
    static let name = "slow-names"
    static let leastLookups = 3
    /// The median from which lookups count as slow.
    static let slow = Duration.milliseconds(100)

    static func findings(in examination: Examination) -> [Finding] {
        examination.hosts.compactMap { host, calls in
            let attempts = calls.flatMap(\.attempts).filter { $0.isReused != true }
            let lookups = attempts.compactMap(\.phases.lookup).filter { $0 > .zero }
            let median = Figures.quantile(0.5, lookups)
            guard lookups.count >= leastLookups, median >= slow else { return nil }
            return Finding(
                name, .warning, "Resolving \(host) is slow",
                """
                \(Figures.counted(lookups.count, "lookup")): \(median.short) in the median, \
                \(Figures.quantile(0.95, lookups).short) at the 95th percentile, \(Figures.sum(lookups).short) in all.
                """,
                advice: """
                    Use a nearby name server with a cache, and keep connections open: calls on open connections \
                    don't need a lookup.
                    """,
                filter: .host(ActivityFilter.literal(host)) & !.reused,
                calls: calls.filter { $0.attempts.contains { $0.phases.lookup ?? .zero >= slow } })
        }
    }
}
#endif
