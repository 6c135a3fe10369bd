#if Tools
internal import NetCore
internal import NetStore

/// Calls that spend most of their time waiting for the server, after the whole request was sent.
enum SlowServer: DoctorRule {
    static let name = "slow-server"
    static let leastCalls = 3
    /// The median from which calls count as slow.
    static let slow = Duration.seconds(1)
    /// The minimum percentage of the attempts' time spent in one phase.
    static let leastPercent = 60.0

    static func findings(in examination: Examination) -> [Finding] {
        examination.endpoints.compactMap { endpoint, calls in
            guard let slowness = Slowness(calls, \.waiting) else { return nil }
            return Finding(
                name, .warning, "The server responds slowly to \(endpoint.name)",
                """
                \(slowness.median.short) in the median of \(Figures.counted(slowness.calls.count, "call")), \
                \(slowness.high.short) at the 95th percentile; \(slowness.percent) % of that is waiting for the first byte.
                """,
                advice:
                    "The network isn't the cause: check what the server does, request less, or cache the response.",
                filter: endpoint.filter & .slower(than: slow), calls: slowness.calls)
        }
    }
}
#endif
