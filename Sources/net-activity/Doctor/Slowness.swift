#if Tools
internal import NetCore
internal import NetStore

/// Completed calls that take long, mostly in one phase.
struct Slowness {
    /// The slow calls.
    let calls: [ExaminedCall]
    let median: Duration
    let high: Duration
    let percent: Int

    /// Returns nil if the calls are fast, few, or slow in another phase.
    init?(_ all: [ExaminedCall], _ phase: KeyPath<TransferPhases, Duration?>) {
        // Browsers count the whole time of a WebSocket as waiting, and a stream of events arrives as it happens.
        let answered = all.filter {
            $0.item.outcome == .completed && $0.isOwn && !$0.isFromCache && $0.status != 101
                && $0.item.responseType != "text/event-stream"
        }
        let durations = answered.map(\.duration)
        (median, high) = (Figures.quantile(0.5, durations), Figures.quantile(0.95, durations))
        guard answered.count >= SlowServer.leastCalls, median >= SlowServer.slow else { return nil }
        let attempts = answered.flatMap(\.attempts)
        let whole = Figures.sum(attempts.compactMap(\.duration)).inSeconds
        let part = Figures.sum(attempts.compactMap { $0.phases[keyPath: phase] }).inSeconds
        guard whole > 0, part / whole * 100 >= SlowServer.leastPercent else { return nil }
        percent = Int(part / whole * 100)
        calls = answered.filter { $0.duration >= SlowServer.slow }
    }
}
#endif
