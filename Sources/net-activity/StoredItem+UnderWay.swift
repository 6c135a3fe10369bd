#if Tools
internal import NetStore

extension [StoredItem] {
    /// True if the entry of a job is stored, and one of these entries under way goes on with it: only the latter is
    /// shown.
    func isAgainUnderWay(_ item: StoredItem) -> Bool {
        item.kind == .job && contains { $0.kind == .job && $0.uid == item.uid }
    }
}
#endif
