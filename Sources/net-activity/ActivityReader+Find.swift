#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

extension ActivityReader {
    /// The only entry whose ID begins or ends so, with the messages of a WebSocket.
    ///
    /// - Parameter kind: Of a WebSocket and the call that has opened it, which have one ID, the one that is meant.
    func find(
        _ id: String, preferring kind: StoredItem.Kind = .socket
    ) async throws -> (StoredDetail, [StoredMessage]) {
        let found = try await items(identifiedBy: id)
        guard let item = found.first(where: { $0.kind == kind }) ?? found.first else {
            throw Failure(
                description: "no entry has the ID \"\(TerminalText.clean(id))\"; `net-activity list` shows IDs")
        }
        guard found.allSatisfy({ $0.uid == item.uid }) else {
            throw Failure(
                code: .usage, description: "several entries have the ID \"\(TerminalText.clean(id))\"; give more of it")
        }
        guard let detail = try await self.item(uid: item.uid, kind: item.kind) else {
            throw Failure(description: "the entry was deleted just now")
        }
        return (detail, item.kind == .socket ? try await messages(of: item.uid) : [])
    }
}
#endif
