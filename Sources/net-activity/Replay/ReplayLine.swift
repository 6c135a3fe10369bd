#if Tools
internal import NetCore

/// Replays as JSON; "old" is the stored call, "new" the replay.
struct ReplayLine: Encodable {
    struct Replay: Encodable {
        let isSame: Bool
        let status: Int?
        let durationMicroseconds: Int64?
    }

    let uid, method, url: String
    let base: String?
    let given, notes: [String]
    let isSame: Bool
    let comparison: ComparisonLine?
    let replays: [Replay]

    init(_ outcome: ReplayOutcome) {
        uid = outcome.id.description
        (method, url) = (outcome.plan.method.rawValue, outcome.plan.shownURL)
        base = outcome.base.map { "\($0)" }
        (given, notes) = (outcome.plan.filled, outcome.plan.notes)
        isSame = outcome.different == 0
        comparison = outcome.shown.map { ComparisonLine($0) }
        replays = outcome.comparisons.map {
            Replay(isSame: !$0.differs, status: $0.new.status, durationMicroseconds: $0.new.duration?.microseconds)
        }
    }
}
#endif
