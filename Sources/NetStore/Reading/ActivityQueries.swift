public import NetCore

/// Queries of a store. They run one after another on the reader's own thread, never on the caller's.
///
/// Queries see committed entries: call ``ActivityStore/flush(_:)`` first to include the most recent ones. All queries
/// throw ``StoreError``. If the task is cancelled while its query waits, the query throws `cancelled`; a running query
/// returns its result.
public protocol ActivityQueries: Sendable {
    /// The connection that runs the queries.
    var reader: ActivityReader { get }
}

extension ActivityQueries {
    /// Returns finished entries, newest first: in reverse commit order.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     let slow = try await store.items(matching: ActivityFilter("~d api.example.com ~slower 2s"), limit: 20)
    ///
    /// With a filter that matches few entries and has no index, all entries are read: for text in bodies, use
    /// ``matches(_:before:)``, which can be stopped early.
    ///
    /// - Parameters:
    ///   - filter: The filter to match. Default ``ActivityFilter/all``.
    ///   - limit: The maximum number of entries. Default 100.
    ///   - id: Returns only entries committed before this one, to read the next page. Default nil: the newest.
    public func items(
        matching filter: ActivityFilter = .all, limit: Int = 100, before id: Int64? = nil
    ) async throws(StoreError) -> [StoredItem] {
        let condition = reader.condition(filter)
        return try await reader.worker.perform { desk throws(StoreError) in
            try StoredItem.page(condition, limit: limit, before: id, on: desk.connection)
        }
    }

    /// Returns the entries under way, newest first. Entries left by a process that is no longer running have the
    /// outcome ``StoredItem/Outcome/cutOff``.
    ///
    /// - Parameters:
    ///   - filter: The filter to match. Default ``ActivityFilter/all``. Terms about captured headers and bodies match
    ///     nothing.
    ///   - limit: The maximum number of entries. Default 1,000.
    public func itemsUnderWay(
        matching filter: ActivityFilter = .all, limit: Int = 1000
    ) async throws(StoreError) -> [StoredItem] {
        let now = reader.now
        return try await reader.worker.perform { desk throws(StoreError) in
            // Filters by value: SQL can't determine whether the process of an entry is still running.
            let items = try StoredItem.underWay(" ORDER BY i.started_at DESC, i.uid DESC", [], on: desk.connection)
                .lazy.map(\.item).filter { filter.matches($0, now: now) }
            return Array(items.prefix(max(0, limit)))
        }
    }

    /// Returns a page of finished entries like ``items(matching:limit:before:)``. Calls have their attempts and
    /// captured headers, but no bodies and no owned entries: for reading many entries.
    package func outlines(
        matching filter: ActivityFilter = .all, limit: Int = 100, before id: Int64? = nil
    ) async throws(StoreError) -> [StoredDetail] {
        let condition = reader.condition(filter)
        return try await reader.worker.perform { desk throws(StoreError) in
            try desk.connection.snapshot { () throws(StoreError) in
                var details: [StoredDetail] = []
                for item in try StoredItem.page(condition, limit: limit, before: id, on: desk.connection) {
                    details.append(try StoredDetail.outline(of: item, on: desk.connection))
                }
                return details
            }
        }
    }

    /// Returns a finished entry with all its stored data; nil if it isn't stored.
    public func item(id: Int64) async throws(StoreError) -> StoredDetail? {
        try await reader.worker.perform { desk throws(StoreError) in
            try desk.connection.snapshot { () throws(StoreError) in
                guard let item = try StoredItem.find(id: id, on: desk.connection) else { return nil }
                return try StoredDetail.of(item, on: desk.connection)
            }
        }
    }

    /// Returns an entry, finished or under way, with all its stored data; nil if it isn't stored.
    ///
    /// - Parameters:
    ///   - uid: The ID of the call, WebSocket, job or log line.
    ///   - kind: The kind, since a WebSocket has the ID of the call that opened it; nil for any kind.
    public func item(uid: CallID, kind: StoredItem.Kind? = nil) async throws(StoreError) -> StoredDetail? {
        try await reader.worker.perform { desk throws(StoreError) in
            try desk.connection.snapshot { () throws(StoreError) in
                try StoredDetail.find(uid: uid, kind: kind, on: desk.connection)
            }
        }
    }

    /// Returns entries whose ID, as text, begins or ends with the text. Entries under way come first, then the newest.
    /// The default `limit` of 2 suffices to detect ambiguity.
    public func items(identifiedBy text: String, limit: Int = 2) async throws(StoreError) -> [StoredItem] {
        try await reader.worker.perform { desk throws(StoreError) in
            try desk.connection.snapshot { () throws(StoreError) in
                try StoredItem.all(identifiedBy: text, limit: limit, on: desk.connection)
            }
        }
    }

    /// Returns entries with the given words in their URL or message, newest first. All words must occur; the last one
    /// may be the beginning of a word.
    ///
    ///     let reader = try ActivityReader(path: "activity.sqlite")
    ///     for item in try await reader.search(words: "timeout api.example", limit: 20) { print(item.startedAt) }
    ///
    /// - Parameters:
    ///   - words: Words, separated by anything that is neither a letter nor a digit. Without words, the result is
    ///     empty.
    ///   - limit: The maximum number of entries. Default 100.
    ///   - id: Returns only entries committed before this one. Default nil.
    public func search(
        words: String, limit: Int = 100, before id: Int64? = nil
    ) async throws(StoreError) -> [StoredItem] {
        guard let query = SearchWords(words).query else { return [] }
        return try await reader.worker.perform { desk throws(StoreError) in
            try StoredItem.search(query, limit: limit, before: id, on: desk.connection)
        }
    }

    /// Returns the number of finished entries that match the filter.
    public func count(matching filter: ActivityFilter = .all) async throws(StoreError) -> Int {
        let condition = reader.condition(filter)
        return try await reader.worker.perform { desk throws(StoreError) in
            let sql = "SELECT count(*) FROM net_item AS i WHERE \(condition.sql)"
            return Int(try desk.connection.integer(sql, condition.values) ?? 0)
        }
    }

    /// Returns the messages of a WebSocket, in order.
    ///
    /// - Parameters:
    ///   - socket: The ID of the WebSocket.
    ///   - number: Returns only messages after this number. Default 0.
    ///   - limit: The maximum number of messages. Default 1,000.
    public func messages(
        of socket: CallID, after number: Int = 0, limit: Int = 1000
    ) async throws(StoreError) -> [StoredMessage] {
        try await reader.worker.perform { desk throws(StoreError) in
            try StoredMessage.all(of: socket, after: number, limit: limit, on: desk.connection)
        }
    }

    /// Returns the runs, newest first, with the numbers of entries written and dropped; at most `limit`, default 100.
    public func runs(limit: Int = 100) async throws(StoreError) -> [StoredRun] {
        try await reader.worker.perform { desk throws(StoreError) in
            try StoredRun.all(" ORDER BY id DESC LIMIT ?", [.integer(Int64(max(0, limit)))], on: desk.connection)
        }
    }
}
