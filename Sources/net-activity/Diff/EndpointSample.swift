#if Tools
internal import NetCore
internal import NetStore

/// What is compared of the calls of one endpoint.
struct EndpointSample {
    /// Calls that ended with a response or a failure: neither those that were cancelled nor those that were cut off.
    private(set) var calls = 0
    /// Calls without a usable response, and those with a status of 500 or more.
    private(set) var bad = 0
    /// Calls whose cache decided something, and those that it served.
    private(set) var cached = (part: 0, whole: 0)
    /// Calls of which the connection is known, and those that opened one.
    private(set) var connected = (part: 0, whole: 0)
    /// Seconds of the calls that went well.
    private(set) var durations: [Double] = []
    /// Bytes of their responses.
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
        // A program may take every response, whatever its status.
        guard outcome == .completed, item.status ?? 0 < 500 else {
            bad += 1
            return
        }
        if let duration = item.duration { durations.append(duration.inSeconds) }
        if let bytes = item.responseBytes { sizes.append(Double(bytes)) }
    }

    /// The value that so much of the values are not above; zero without any.
    static func quantile(_ share: Double, _ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}
#endif
