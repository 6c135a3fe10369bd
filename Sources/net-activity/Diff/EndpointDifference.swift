#if Tools
internal import NetCore
internal import NetStore

/// A difference between two groups of calls to one endpoint.
struct EndpointDifference {
    /// What has changed, the worst first.
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

        /// In words, for a table.
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
    /// The figures of both groups: a median, a percentile or a share. Nil for a group without calls.
    let before, after: String?
    /// The quartiles around the medians; nil for other figures.
    var spreads: (before: String, after: String)?
    /// How many calls there are in each group.
    let calls: (before: Int, after: Int)
    /// How large the change is, to sort by: a ratio, or a difference of shares.
    let size: Double
    /// How likely equal groups differ as much; nil for what isn't tested.
    var probability: Double?

    /// Whether the calls of the first group show it.
    var isOfFirst: Bool { change == .gone }
}
#endif
