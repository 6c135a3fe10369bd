#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

extension ActivityReader {
    /// Returns the only entry whose ID begins or ends with the name, or the newest that matches it as a filter; with
    /// the messages of a WebSocket.
    ///
    /// - Parameter kind: The preferred kind if a WebSocket and the call that opened it have the same ID.
    func find(
        _ name: String, preferring kind: StoredItem.Kind = .socket
    ) async throws -> (StoredDetail, [StoredMessage]) {
        guard EntryName.isID(name) else { return try await newest(matching: try ActivityFilter(name), kind) }
        let found = try await items(identifiedBy: name)
        guard let item = found.first(where: { $0.kind == kind }) ?? found.first else {
            throw Failure(
                description: "no entry has the ID \"\(TerminalText.clean(name))\"; `net-activity list` shows IDs")
        }
        guard found.allSatisfy({ $0.uid == item.uid }) else {
            throw Failure(
                code: .usage,
                description: "several entries have the ID \"\(TerminalText.clean(name))\"; give more of it")
        }
        return try await whole(item)
    }

    private func newest(
        matching filter: ActivityFilter, _ kind: StoredItem.Kind
    ) async throws -> (StoredDetail, [StoredMessage]) {
        // A command about calls ignores matching WebSockets, jobs and log lines.
        let others: ActivityFilter = .webSocket | .job | .log
        let items = try await items(matching: kind == .call ? filter & !others : filter, limit: 1)
        guard let item = items.first else {
            throw Failure(description: "no entry matches \"\(TerminalText.clean(filter.description))\"")
        }
        return try await whole(item)
    }

    private func whole(_ item: StoredItem) async throws -> (StoredDetail, [StoredMessage]) {
        guard let detail = try await self.item(uid: item.uid, kind: item.kind) else {
            throw Failure(description: "the entry was just deleted")
        }
        return (detail, item.kind == .socket ? try await messages(of: item.uid) : [])
    }
}
#endif
