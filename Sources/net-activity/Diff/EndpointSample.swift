#if Tools
internal import NetCore
internal import NetStore

/// The values of one endpoint's calls that are compared.
struct EndpointSample {
    /// The number of calls that ended with a response or a failure; not those cancelled or cut off.
    private(set) var calls = 0
    /// The number of calls without a usable response, and of those with a status of 500 or more.
    private(set) var bad = 0
    /// `whole`: the calls with a cache decision; `part`: those served by the cache.
    private(set) var cached = (part: 0, whole: 0)
    /// `whole`: the calls whose connection is known; `part`: those that opened a new one.
    private(set) var connected = (part: 0, whole: 0)
    /// The durations of successful calls, in seconds.
    private(set) var durations: [Double] = []
    /// The sizes of their responses, in bytes.
    private(set) var sizes: [Double] = []

    init() {}

    mutating func add(_ item: StoredItem) {
        guard let outcome = item.outcome, outcome != .cancelled, outcome != .cutOff else { return }
        calls += 1
        if let cache = item.cache {
            cached.whole += 1
            if ExaminedCall.servedByCache.contains(cache) { cached.part += 1 }
        }
        if let isReused = item.isReused {
            connected.whole += 1
            if !isReused { connected.part += 1 }
        }
        // A request may accept any status, so a completed call can still have a status of 500 or more.
        guard outcome == .completed, item.status ?? 0 < 500 else {
            bad += 1
            return
        }
        if let duration = item.duration { durations.append(duration.inSeconds) }
        if let bytes = item.responseBytes { sizes.append(Double(bytes)) }
    }

    /// Returns the value at the given quantile; zero if there are no values.
    static func quantile(_ share: Double, _ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}
#endif
