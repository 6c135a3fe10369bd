public import NetCore

extension ActivityStore {
    /// Saves an artifact and returns it with its number, after committing it. Retention never deletes artifacts.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - name: The name, which needn't be unique.
    ///   - body: The contents.
    ///   - summary: A description in one sentence. Default nil.
    ///   - contentType: The media type of the body. Default nil.
    ///   - item: The entry that the artifact belongs to. Default nil.
    ///
    /// Throws the errors of ``flush(_:)``.
    @discardableResult
    public func save(
        _ kind: StoredArtifact.Kind, named name: String, body: Bytes, summary: String? = nil,
        contentType: String? = nil,
        item: Int64? = nil
    ) async throws(StoreError) -> StoredArtifact {
        let date = clock.date()
        let values: [SQLiteValue] = [
            .text(kind.rawValue), .text(name), .optional(summary), .optional(contentType), .blob(Array(body)),
            .integer(StoredTime.microseconds(of: date)), .optional(item),
        ]
        let id = try await write { connection throws(StoreError) in
            try connection.run(
                """
                INSERT INTO net_artifact (kind, name, summary, content_type, body, created_at, item)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, values)
            return connection.lastInsertedRow
        }
        return StoredArtifact(
            id: id, kind: kind, name: name, summary: summary, contentType: contentType, createdAt: date, item: item,
            size: body.count)
    }

    /// Deletes an artifact; does nothing if it isn't stored.
    public func deleteArtifact(id: Int64) async throws(StoreError) {
        try await write { connection throws(StoreError) in
            try connection.run("DELETE FROM net_artifact WHERE id = ?", [.integer(id)])
        }
    }

    /// Protects an entry from retention. Returns false if the entry isn't stored.
    @discardableResult
    public func pin(_ item: Int64) async throws(StoreError) -> Bool {
        try await note(item, "is_pinned", .integer(1))
    }

    /// Makes an entry subject to retention again. Returns false if the entry isn't stored.
    @discardableResult
    public func unpin(_ item: Int64) async throws(StoreError) -> Bool {
        try await note(item, "is_pinned", .integer(0))
    }

    /// Sets the comment of an entry; nil removes it. Returns false if the entry isn't stored.
    @discardableResult
    public func comment(_ comment: String?, on item: Int64) async throws(StoreError) -> Bool {
        try await note(item, "comment", .optional(comment))
    }

    private func note(_ item: Int64, _ column: String, _ value: SQLiteValue) async throws(StoreError) -> Bool {
        let now = StoredTime.microseconds(of: clock.date())
        return try await write { connection throws(StoreError) in
            guard try connection.integer("SELECT count(*) FROM net_item WHERE id = ?", [.integer(item)]) == 1 else {
                return false
            }
            try connection.run(
                "INSERT INTO net_note (item, is_pinned, changed_at) VALUES (?, 0, ?) ON CONFLICT (item) DO NOTHING",
                [.integer(item), .integer(now)])
            try connection.run(
                "UPDATE net_note SET \(column) = ?, changed_at = ? WHERE item = ?",
                [value, .integer(now), .integer(item)])
            return true
        }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await writer.perform { desk throws(StoreError) in
            try desk.connection.transaction { () throws(StoreError) in try body(desk.connection) }
        }
    }
}
