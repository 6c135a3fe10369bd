internal import NetCore

/// Captures of calls under way, until the end of the call decides whether they are kept.
struct HeldCaptures {
    /// About the bytes that are held at most; beyond them, captures are kept without a decision.
    static let maximumBytes = 16 << 20

    private let rule: ActivityStore.Capture.Rule
    private var held: [CallID: [PendingCapture]] = [:]
    private var bytes = 0

    init(_ rule: ActivityStore.Capture.Rule) { self.rule = rule }

    /// Takes a capture; returns false if it is to be written now.
    mutating func hold(_ capture: PendingCapture, isUnderWay: Bool) -> Bool {
        guard rule != .all, isUnderWay, bytes + capture.bytes <= Self.maximumBytes else { return false }
        held[capture.call, default: []].append(capture)
        bytes += capture.bytes
        return true
    }

    /// A call has ended. Returns those of its captures that are kept.
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
    /// Whether the captures of an ended call are kept. The same calls are always chosen: by the random bits of their IDs.
    func keeps(_ draft: ItemDraft) -> Bool {
        guard case .troubles(let limit, let share) = self else { return true }
        if draft.outcome != .completed || (draft.duration ?? 0) >= StoredTime.microseconds(of: limit) { return true }
        return share > 0 && draft.key.uid.low % UInt64(share) == 0
    }
}
