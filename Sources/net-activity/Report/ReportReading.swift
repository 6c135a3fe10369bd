#if Tools
internal import NetCore
internal import NetStore

/// Reads the entries of a report from a store.
struct ReportReading {
    let reader: ActivityReader
    let filter: ActivityFilter
    /// The maximum number of entries in the list, not counting entries that belong to them.
    let limit: Int

    /// Adds entries, newest first, then entries that only belong to them, and the runs of all.
    func read(into builder: inout ReportBuilder) async throws {
        let running = try await reader.itemsUnderWay(matching: filter, limit: limit)
        let finished = try await reader.items(matching: filter, limit: limit - running.count)
            .filter { !running.isAgainUnderWay($0) }
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
        // If the entry was deleted in the meantime, the data in the list remain.
        guard let detail = try await reader.item(uid: item.uid, kind: item.kind) else { return (ReportEntry(item), []) }
        var entry = ReportEntry(detail)
        // If the entry ended in the meantime, it stays under way as in the list.
        entry.item = item
        if item.kind == .socket { entry.messages = try await reader.allMessages(of: item.uid) }
        return (entry, detail.owned)
    }

    /// A key of ID and kind: a WebSocket has the same ID as the call that opened it.
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
    /// Returns all messages of a WebSocket, in order.
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
