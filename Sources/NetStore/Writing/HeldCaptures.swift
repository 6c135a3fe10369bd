internal import NetCore

/// Holds the captures of calls under way until the end of the call decides whether they are kept.
struct HeldCaptures {
    /// The approximate maximum number of bytes held; beyond it, captures are stored without waiting for the decision.
    static let maximumBytes = 16 << 20

    private let rule: ActivityStore.Capture.Rule
    private var held: [CallID: [PendingCapture]] = [:]
    private var bytes = 0

    init(_ rule: ActivityStore.Capture.Rule) { self.rule = rule }

    /// Holds a capture; returns false if it must be written now.
    mutating func hold(_ capture: PendingCapture, isUnderWay: Bool) -> Bool {
        guard rule != .all, isUnderWay, bytes + capture.bytes <= Self.maximumBytes else { return false }
        held[capture.call, default: []].append(capture)
        bytes += capture.bytes
        return true
    }

    /// Returns the captures to keep of a call that has ended.
    mutating func ended(_ draft: ItemDraft) -> [PendingCapture] {
        guard draft.key.kind == .call, let captures = held.removeValue(forKey: draft.key.uid) else { return [] }
        for capture in captures { bytes -= capture.bytes }
        return rule.keeps(draft) ? captures : []
    }

    mutating func removeAll() {
        held = [:]
        bytes = 0
    }
}

extension ActivityStore.Capture.Rule {
    /// Returns true if the captures of an ended call are kept. The sample is stable: it depends on the random bits of
    /// the call's ID.
    func keeps(_ draft: ItemDraft) -> Bool {
        guard case .troubles(let limit, let share) = self else { return true }
        if draft.outcome != .completed || (draft.duration ?? 0) >= StoredTime.microseconds(of: limit) { return true }
        return share > 0 && draft.key.uid.low % UInt64(share) == 0
    }
}
