#if Tools
internal import NetCore

/// The replays of a call, each compared with the stored call.
struct ReplayOutcome {
    let plan: ReplayPlan
    /// The stored call's ID.
    let id: CallID
    /// The server used instead of the call's; nil for the call's.
    let base: URLReference?
    let comparisons: [ExchangeComparison]

    /// The first comparison that differs, or the last one if none does.
    var shown: ExchangeComparison? { comparisons.first { $0.differs } ?? comparisons.last }
    /// The number of comparisons that differ.
    var different: Int { comparisons.count { $0.differs } }
    /// The durations of the replays, shortest first.
    var durations: [Duration] { comparisons.compactMap(\.new.duration).sorted() }

    /// A summary such as `12.0 ms at least, 14.0 ms in the median, 20.0 ms at most`.
    var spread: String? {
        guard durations.count > 1, let least = durations.first, let most = durations.last else { return nil }
        let median = Figures.quantile(0.5, durations)
        return "\(least.short) at least, \(median.short) in the median, \(most.short) at most"
    }
}
#endif
