#if Tools
internal import NetCore
internal import NetStore

/// Reads the entries of a report from a store.
struct ReportReading {
    let reader: ActivityReader
    let filter: ActivityFilter
    /// The most entries in the list; of what belongs to them there may be more.
    let limit: Int

    /// Adds entries, newest first, then those that only belong to them, and the runs of all.
    func read(into builder: inout ReportBuilder) async throws {
        let running = try await reader.itemsUnderWay(matching: filter, limit: limit)
        let finished = try await reader.items(matching: filter, limit: limit - running.count)
        var known = Set((running + finished).map { Key($0) })
        var runs: Set<Int64> = []
        var owned: [StoredItem] = []
        for item in running + finished {
            let (entry, others) = try await entry(item)
            runs.insert(item.run)
            builder.add(entry)
            for other in others where known.insert(Key(other)).inserted { owned.append(other) }
        }
        while let item = owned.popLast() {
            var (entry, others) = try await entry(item)
            entry.isHidden = true
            builder.add(entry)
            for other in others where known.insert(Key(other)).inserted { owned.append(other) }
        }
        let isWhole = running.count + finished.count < limit
        if !isWhole { builder.list.omitted = max(0, try await reader.count(matching: filter) - finished.count) }
        builder.list.runs = try await reader.runs(limit: 10_000).filter { runs.isEmpty || runs.contains($0.id) }
    }

    private func entry(_ item: StoredItem) async throws -> (ReportEntry, owned: [StoredItem]) {
        if item.kind == .log { return (ReportEntry(item), []) }
        // One that was deleted meanwhile keeps what the list has of it.
        guard let detail = try await reader.item(uid: item.uid, kind: item.kind) else { return (ReportEntry(item), []) }
        var entry = ReportEntry(detail)
        // Under way then, ended now: the list says what it was.
        entry.item = item
        if item.kind == .socket { entry.messages = try await reader.allMessages(of: item.uid) }
        return (entry, detail.owned)
    }

    /// A WebSocket has the ID of the call that opened it.
    private struct Key: Hashable {
        let id: CallID
        let kind: StoredItem.Kind

        init(_ item: StoredItem) {
            id = item.uid
            kind = item.kind
        }
    }
}

extension ActivityReader {
    /// The messages of a WebSocket, in order.
    func allMessages(of socket: CallID) async throws -> [StoredMessage] {
        var messages: [StoredMessage] = []
        while true {
            let page = try await self.messages(of: socket, after: messages.last?.number ?? 0)
            if page.isEmpty { return messages }
            messages += page
        }
    }
}
#endif
