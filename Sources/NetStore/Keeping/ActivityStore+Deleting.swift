internal import NetCore

extension ActivityStore {
    /// Deletes all stored data: queued, finished and pinned entries, pins and comments, artifacts, roll-ups and names.
    /// Artifacts and pins go too; ``deleteActivity(includingPinned:)`` keeps them. Tables, the current run and the
    /// cursors of exports stay.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     try await store.deleteAll()
    ///
    /// The space in the file is reused. Throws the errors of ``flush(_:)``.
    public func deleteAll() async throws(StoreError) {
        try await writer.perform { desk throws(StoreError) in try desk.writer?.deleteAll() }
    }

    /// Deletes the recorded activity: entries, queued, under way or finished, with their captures, roll-ups and names.
    /// Artifacts stay, and so do pinned entries with their captures and comments; roll-ups then count only those.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     let count = try await store.deleteActivity()
    ///     print(count, "entries deleted; artifacts and pinned entries are still there")
    ///
    /// The space in the file is reused. Throws the errors of ``flush(_:)``.
    ///
    /// - Parameter isIncludingPinned: True to delete pinned entries too. Default false.
    /// - Returns: The number of deleted entries, without those under way.
    @discardableResult
    public func deleteActivity(includingPinned isIncludingPinned: Bool = false) async throws(StoreError) -> Int {
        try await writer.perform { desk throws(StoreError) in
            try desk.writer?.deleteActivity(sparingPinned: !isIncludingPinned) ?? 0
        }
    }

    /// Deletes artifacts; entries stay.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     try await store.deleteArtifacts(.contractReport)
    ///
    /// Throws the errors of ``flush(_:)``.
    ///
    /// - Parameter kind: The kind. Default nil: all artifacts are deleted.
    /// - Returns: The number of deleted artifacts.
    @discardableResult
    public func deleteArtifacts(_ kind: StoredArtifact.Kind? = nil) async throws(StoreError) -> Int {
        try await writer.perform { desk throws(StoreError) in
            try desk.connection.transaction { () throws(StoreError) in
                try desk.connection.run(
                    "DELETE FROM net_artifact WHERE kind = coalesce(?, kind)", [.optional(kind?.rawValue)])
                return desk.connection.changes
            }
        }
    }
}
