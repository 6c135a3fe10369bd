#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One opening of the store for writing, and what became of the events it was handed.
public struct SessionRecord: Sendable, Hashable {
    /// When the store was opened.
    public var openedAt: Date
    /// When it was closed; nil while it is open, and for ever when the program ended without closing it.
    public var closedAt: Date?
    /// Events written, as of the last batch.
    public var written: Int
    /// Events dropped because the queue was full, as of the last batch.
    public var dropped: Int
    /// Events given up, as of the last batch.
    public var failed: Int
}

extension SessionRecord {
    static let columns = "opened_at, closed_at, written, dropped, failed"

    /// Reads a row of ``columns``.
    init(_ row: SQLiteRow) {
        self.init(
            openedAt: StoredTime.date(row.integer(0) ?? 0), closedAt: row.integer(1).map(StoredTime.date),
            written: row.int(2) ?? 0, dropped: row.int(3) ?? 0, failed: row.int(4) ?? 0)
    }
}
