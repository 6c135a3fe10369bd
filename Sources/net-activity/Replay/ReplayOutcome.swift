#if Tools
internal import NetCore

/// The replays of a call, each compared with what was stored.
struct ReplayOutcome {
    let plan: ReplayPlan
    /// The stored call's ID.
    let id: CallID
    /// The server that everything was sent to instead of the call's; nil for the call's.
    let base: URLReference?
    let comparisons: [ExchangeComparison]

    /// The first one that differs, or the last one.
    var shown: ExchangeComparison? { comparisons.first { $0.differs } ?? comparisons.last }
    /// How many differ.
    var different: Int { comparisons.count { $0.differs } }
    /// How long the replays took, shortest first.
    var durations: [Duration] { comparisons.compactMap(\.new.duration).sorted() }

    /// `12.0 ms at least, 14.0 ms in the median, 20.0 ms at most`.
    var spread: String? {
        guard durations.count > 1, let least = durations.first, let most = durations.last else { return nil }
        let median = Figures.quantile(0.5, durations)
        return "\(least.short) at least, \(median.short) in the median, \(most.short) at most"
    }
}
#endif
