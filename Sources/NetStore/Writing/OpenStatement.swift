internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes the rows of entries under way.
final class OpenStatement {
    static let columns = [
        "uid", "kind", "run", "started_at", "method", "operation", "name", "tags", "host", "url", "attempts", "status",
        "request_bytes", "response_bytes", "total_bytes", "owner", "state",
    ]

    private let names: NameTable
    private let insert, delete: SQLiteStatement

    init(on connection: SQLiteConnection, names: NameTable) throws(StoreError) {
        self.names = names
        let marks = Self.columns.map { _ in "?" }.joined(separator: ", ")
        insert = try connection.prepare(
            "INSERT OR REPLACE INTO net_open (\(Self.columns.joined(separator: ", "))) VALUES (\(marks))")
        delete = try connection.prepare("DELETE FROM net_open WHERE uid = ? AND kind = ?")
    }

    /// Inserts or updates the row of an entry under way.
    func write(_ draft: ItemDraft, run: Int64) throws(StoreError) {
        insert.set(1, draft.key.uid)
        insert.set(2, Int64(draft.key.kind.rawValue))
        insert.set(3, run)
        insert.set(4, draft.startedAt)
        insert.set(5, try names.id(draft.method))
        insert.set(6, try names.id(draft.operation))
        insert.set(7, try names.id(draft.name))
        insert.set(8, draft.tags.isEmpty ? nil : try names.id(StoredTags.text(draft.tags)))
        insert.set(9, try names.id(draft.url.flatMap { StoredURL.host(of: $0) }))
        insert.set(10, draft.url)
        insert.set(11, draft.attemptCount == 0 ? nil : draft.attemptCount)
        insert.set(12, draft.status)
        insert.set(13, draft.requestBytes)
        insert.set(14, draft.responseBytes)
        insert.set(15, draft.totalBytes)
        if let owner = draft.owner { insert.set(16, owner) } else { insert.set(16, nil as Int64?) }
        insert.set(17, OpenState(draft).text)
        try insert.run()
    }

    func delete(_ key: ItemKey) throws(StoreError) {
        delete.set(1, key.uid)
        delete.set(2, Int64(key.kind.rawValue))
        try delete.run()
    }
}

/// The data of an entry under way that its row has no columns for, as JSON: the attempts so far, the details and the
/// progress of a job.
struct OpenState: Codable {
    var attempts: [AttemptRow]?
    var retries: Int?
    var detail: String?
    var cache, cacheReason: String?
    var job: JobProgress?

    /// The JSON text; nil if there is nothing to store.
    var text: String? {
        guard attempts != nil || detail != nil || cache != nil || job != nil else { return nil }
        guard let bytes = try? JSONCoding.standard.encode(self) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    init(_ draft: ItemDraft) {
        attempts = draft.attempts.isEmpty ? nil : draft.attempts
        retries = draft.retries == 0 ? nil : draft.retries
        detail = draft.detail
        cache = draft.cache?.action.rawValue
        cacheReason = draft.cache?.reason.rawValue
        job = draft.job
    }

    /// Parses the JSON; nil if it's invalid.
    init?(text: String) {
        guard let state = try? JSONCoding.standard.decode(OpenState.self, from: Bytes(text.utf8)) else { return nil }
        self = state
    }
}
