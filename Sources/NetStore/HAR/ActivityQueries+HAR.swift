package import NetCore

extension ActivityQueries {
    /// Writes calls and WebSockets as HAR 1.2, oldest first: for a browser's developer tools, a proxy, or another
    /// store.
    ///
    ///     let reader = try ActivityReader(path: "activity.sqlite")
    ///     try await reader.writeHAR(to: "bug.har.gz", matching: ActivityFilter("~d api.example.com ~e"))
    ///
    /// Each attempt is an entry, and so is each response that a cache has served. Jobs, log lines and entries under way
    /// are omitted. The file contains only captured data: without captures, entries have no headers and no bodies.
    /// Memory use doesn't grow with the number of entries.
    ///
    /// - Parameters:
    ///   - path: The file, gzipped if the name ends in `.gz`. It is replaced atomically and readable only by its owner.
    ///   - filter: The entries to write. Default ``ActivityFilter/all``.
    ///   - limit: The maximum number of calls and WebSockets; the newest are written. Default nil: all.
    ///
    /// Doesn't write a file if no entry matches. Throws `inputOutput` if the file can't be written, and `cancelled` if
    /// the task is cancelled before the file is complete.
    @discardableResult
    public func writeHAR(
        to path: String, matching filter: ActivityFilter = .all, limit: Int? = nil
    ) async throws(StoreError) -> ActivityExport {
        let draft = try StoreError.writing(path) { () throws(NetError) in try FileDraft.ofPrivateFile(path) }
        do throws(StoreError) {
            let isCompressed = path.lowercased().hasSuffix(".gz")
            let result = try await exportHAR(matching: filter, limit: limit, isCompressed: isCompressed) {
                (piece) throws(StoreError) in
                try StoreError.writing(path) { () throws(NetError) in try draft.append(piece) }
            }
            guard result.items > 0 else {
                draft.discard()
                return result
            }
            try await reader.worker.perform { _ throws(StoreError) in
                try StoreError.writing(path) { () throws(NetError) in try draft.commit(isSynced: true) }
            }
            return result
        } catch {
            draft.discard()
            throw error
        }
    }

    /// Passes the HAR text to a closure piece by piece, on the reader thread; nothing if no entry matches.
    package func exportHAR(
        matching filter: ActivityFilter, limit: Int?, isCompressed: Bool,
        to sink: @escaping @Sendable (Bytes) throws(StoreError) -> Void
    ) async throws(StoreError) -> ActivityExport {
        let condition = reader.condition(filter)
        let range = try await reader.worker.perform { desk throws(StoreError) -> ClosedRange<Int64>? in
            let sql = """
                SELECT min(id), max(id) FROM (SELECT i.id AS id FROM net_item AS i WHERE i.kind <= 2 AND \(condition.sql)
                    ORDER BY i.id DESC LIMIT ?)
                """
            var range: ClosedRange<Int64>?
            let values = condition.values + [.integer(Int64(limit.map { max(0, $0) } ?? -1))]
            try desk.connection.query(sql, values) { row throws(StoreError) in
                if let first = row.integer(0), let last = row.integer(1) { range = first...last }
            }
            return range
        }
        guard let range else { return ActivityExport() }
        let export = HARExport(condition, range, isCompressed: isCompressed, sink)
        var isDone = false
        while !isDone {
            if Task.isCancelled { throw StoreError(.cancelled, message: "the task was cancelled", path: reader.path) }
            isDone = try await reader.worker.perform { desk throws(StoreError) in
                try !export.writePart(on: desk.connection)
            }
        }
        return export.result
    }
}

extension StoreError {
    /// Runs a body that writes a file.
    static func writing<Value>(
        _ path: String, _ body: () throws(NetError) -> Value
    ) throws(StoreError) -> Value {
        do throws(NetError) {
            return try body()
        } catch {
            throw StoreError(.inputOutput, message: error.message, path: path)
        }
    }
}
