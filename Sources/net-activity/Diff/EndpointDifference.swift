#if Tools
internal import NetCore
internal import NetStore

/// A difference between two groups of calls to one endpoint.
struct EndpointDifference {
    /// The kind of change, worst first.
    enum Change: String, CaseIterable {
        case broke, slower
        case slowerTail = "slower-tail"
        case gone, new, larger
        case fewerHits = "fewer-cache-hits"
        case moreConnections = "more-connections"
        case fixed, faster
        case fasterTail = "faster-tail"
        case smaller
        case moreHits = "more-cache-hits"
        case fewerConnections = "fewer-connections"

        var severity: Finding.Severity {
            switch self {
            case .broke: .error
            case .slower, .slowerTail, .gone, .larger, .fewerHits, .moreConnections: .warning
            default: .note
            }
        }

        /// The title in a table.
        var title: String {
            switch self {
            case .slowerTail: "slower p95"
            case .fasterTail: "faster p95"
            case .fewerHits: "fewer cache hits"
            case .moreHits: "more cache hits"
            case .moreConnections: "more new connections"
            case .fewerConnections: "fewer new connections"
            default: rawValue
            }
        }
    }

    let change: Change
    let endpoint: Endpoint
    /// The values of both groups: a median, a percentile or a share. Nil for a group without calls.
    let before, after: String?
    /// The quartiles around the medians; nil for other values.
    var spreads: (before: String, after: String)?
    /// The number of calls in each group.
    let calls: (before: Int, after: Int)
    /// The magnitude of the change, for sorting: a ratio, or a difference of shares.
    let size: Double
    /// The probability that equal groups differ at least as much; nil if it isn't tested.
    var probability: Double?

    /// True if example calls are in the first group.
    var isOfFirst: Bool { change == .gone }
}
#endif
