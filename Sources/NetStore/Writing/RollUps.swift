internal import NetCore

/// The roll-ups of stored calls, computed again from their rows.
final class RollUps {
    /// The columns of `net_item` that are read.
    static let names = [
        "uid", "kind", "run", "started_at", "duration_us", "outcome", "operation", "host", "attempts", "retries",
        "request_bytes", "response_bytes", "is_reused",
    ]

    private(set) var runs: [Int64: HourTotals] = [:]
    private let places: [String: Int32]

    /// - Parameter columns: The columns of the rows, in their order.
    init(columns: [String]) {
        places = Dictionary(zip(columns, Int32(0)...), uniquingKeysWith: { first, _ in first })
    }

    /// Adds a row; ignores all but calls that have ended.
    func add(_ row: SQLiteRow) {
        func place(_ name: String) -> Int32 { places[name] ?? 0 }
        guard row.int(place("kind")) == StoredItem.Kind.call.rawValue, let uid = row.id(place("uid")),
            case let outcome = row.int(place("outcome")).flatMap(StoredItem.Outcome.init(rawValue:)),
            outcome != .cutOff
        else { return }
        let draft = ItemDraft(ItemKey(uid, .call), startedAt: row.integer(place("started_at")) ?? 0)
        draft.outcome = outcome
        draft.duration = row.integer(place("duration_us"))
        draft.retries = row.int(place("retries")) ?? 0
        draft.isReused = row.bool(place("is_reused"))
        draft.attemptCount = row.int(place("attempts")) ?? 0
        draft.requestBytes = row.integer(place("request_bytes"))
        draft.responseBytes = row.integer(place("response_bytes"))
        runs[row.integer(place("run")) ?? 0, default: HourTotals()].add(
            draft, operation: row.integer(place("operation")), host: row.integer(place("host")))
    }
}
