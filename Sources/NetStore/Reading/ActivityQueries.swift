public import NetCore

/// The questions a store answers. They run one after another on the reader's own thread, never on the caller's.
///
/// A query sees what is committed: call ``ActivityStore/flush(_:)`` first to see what was recorded just now. All throw
/// ``StoreError``; a task that is cancelled while its query waits gets `cancelled`, one whose query runs gets the result.
public protocol ActivityQueries: Sendable {
    /// The connection that answers.
    var reader: ActivityReader { get }
}

extension ActivityQueries {
    /// Finished entries, newest first: in the opposite order of their commits.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     let slow = try await store.items(matching: ActivityFilter("~d api.example.com ~slower 2s"), limit: 20)
    ///
    /// Of a filter that few entries meet and that no index knows, all entries are read: for text in bodies take
    /// ``matches(_:before:)``, which can be left.
    ///
    /// - Parameters:
    ///   - filter: Which entries. Default ``ActivityFilter/all``.
    ///   - limit: The most entries. Default 100.
    ///   - id: Where the page begins: only entries that were committed before this one. Default nil: the newest.
    public func items(
        matching filter: ActivityFilter = .all, limit: Int = 100, before id: Int64? = nil
    ) async throws(StoreError) -> [StoredItem] {
        let condition = reader.condition(filter)
        return try await reader.worker.perform { desk throws(StoreError) in
            try StoredItem.page(condition, limit: limit, before: id, on: desk.connection)
        }
    }

    /// What is under way, the newest first. What a process has left so that doesn't run any more has the outcome
    /// ``StoredItem/Outcome/cutOff``.
    ///
    /// - Parameters:
    ///   - filter: Which entries. Default ``ActivityFilter/all``. Terms about captured headers and bodies match nothing.
    ///   - limit: The most entries. Default 1,000.
    public func itemsUnderWay(
        matching filter: ActivityFilter = .all, limit: Int = 1000
    ) async throws(StoreError) -> [StoredItem] {
        let now = reader.now
        return try await reader.worker.perform { desk throws(StoreError) in
            // By value: whether the process of an entry still runs isn't known in SQL.
            let items = try StoredItem.underWay(" ORDER BY i.started_at DESC, i.uid DESC", [], on: desk.connection)
                .lazy.map(\.item).filter { filter.matches($0, now: now) }
            return Array(items.prefix(max(0, limit)))
        }
    }

    /// A page of finished entries as ``items(matching:limit:before:)`` has them, each call with its attempts and captured
    /// fields, but without bodies and what belongs to it: for those who look at many.
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

    /// One finished entry with everything stored of it; nil if it isn't stored.
    public func item(id: Int64) async throws(StoreError) -> StoredDetail? {
        try await reader.worker.perform { desk throws(StoreError) in
            try desk.connection.snapshot { () throws(StoreError) in
                guard let item = try StoredItem.find(id: id, on: desk.connection) else { return nil }
                return try StoredDetail.of(item, on: desk.connection)
            }
        }
    }

    /// One entry, finished or under way, with everything stored of it; nil if it isn't stored.
    ///
    /// - Parameters:
    ///   - uid: The ID of the call, WebSocket, job or line.
    ///   - kind: Its kind, since a WebSocket has the ID of the call that opened it; nil for the first that there is.
    public func item(uid: CallID, kind: StoredItem.Kind? = nil) async throws(StoreError) -> StoredDetail? {
        try await reader.worker.perform { desk throws(StoreError) in
            try desk.connection.snapshot { () throws(StoreError) in
                try StoredDetail.find(uid: uid, kind: kind, on: desk.connection)
            }
        }
    }

    /// Entries whose ID as text begins or ends with this text, newest first; at most `limit`, default 2: enough to see
    /// whether it is unique. Those under way come first.
    public func items(identifiedBy text: String, limit: Int = 2) async throws(StoreError) -> [StoredItem] {
        try await reader.worker.perform { desk throws(StoreError) in
            try desk.connection.snapshot { () throws(StoreError) in
                try StoredItem.all(identifiedBy: text, limit: limit, on: desk.connection)
            }
        }
    }

    /// Entries with these words in their URL or message, newest first: all of the words, of the last one the
    /// beginning.
    ///
    ///     let reader = try ActivityReader(path: "activity.sqlite")
    ///     for item in try await reader.search(words: "timeout api.example", limit: 20) { print(item.startedAt) }
    ///
    /// - Parameters:
    ///   - words: Words, separated by anything that is neither a letter nor a digit. Without any, nothing is found.
    ///   - limit: The most entries. Default 100.
    ///   - id: Only entries that were committed before this one. Default nil.
    public func search(
        words: String, limit: Int = 100, before id: Int64? = nil
    ) async throws(StoreError) -> [StoredItem] {
        guard let query = SearchWords(words).query else { return [] }
        return try await reader.worker.perform { desk throws(StoreError) in
            try StoredItem.search(query, limit: limit, before: id, on: desk.connection)
        }
    }

    /// The number of finished entries.
    public func count(matching filter: ActivityFilter = .all) async throws(StoreError) -> Int {
        let condition = reader.condition(filter)
        return try await reader.worker.perform { desk throws(StoreError) in
            let sql = "SELECT count(*) FROM net_item AS i WHERE \(condition.sql)"
            return Int(try desk.connection.integer(sql, condition.values) ?? 0)
        }
    }

    /// The messages of a WebSocket, in order.
    ///
    /// - Parameters:
    ///   - socket: The ID of the WebSocket.
    ///   - number: Only messages after this one. Default 0.
    ///   - limit: The most messages. Default 1,000.
    public func messages(
        of socket: CallID, after number: Int = 0, limit: Int = 1000
    ) async throws(StoreError) -> [StoredMessage] {
        try await reader.worker.perform { desk throws(StoreError) in
            try StoredMessage.all(of: socket, after: number, limit: limit, on: desk.connection)
        }
    }

    /// The openings of the store for writing, newest first, with what each wrote and dropped; at most `limit`, default 100.
    public func runs(limit: Int = 100) async throws(StoreError) -> [StoredRun] {
        try await reader.worker.perform { desk throws(StoreError) in
            try StoredRun.all(" ORDER BY id DESC LIMIT ?", [.integer(Int64(max(0, limit)))], on: desk.connection)
        }
    }
}
