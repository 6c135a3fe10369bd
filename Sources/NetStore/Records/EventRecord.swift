public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One stored event of a call.
public struct EventRecord: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The call began.
        case started
        /// One attempt is over.
        case attemptEnded
        /// Another attempt follows after a pause.
        case retrying
        /// A cache decided something.
        case cache
        /// A head came, the body is still arriving.
        case responded
        /// The call is over.
        case ended
    }

    /// The call.
    public var call: CallID
    /// Counts the events of the call, from 1.
    public var sequence: Int
    /// What happened.
    public var kind: Kind
    /// The wall clock.
    public var occurredAt: Date
    /// Since the call began.
    public var elapsed: Duration
    /// The event in a few words.
    public var title: String
    /// More words, where there are any.
    public var detail: String?
    /// The attempt that follows a pause; nil but for ``Kind/retrying``.
    public var retryAttempt: Int?
    /// The pause before that attempt; nil but for ``Kind/retrying``.
    public var retryDelay: Duration?
}

extension EventRecord {
    static let columns =
        "call, sequence, kind, occurred_at, elapsed_us, title, detail, retry_attempt, retry_delay_us"

    /// Reads a row of ``columns``.
    init(_ row: SQLiteRow) throws(StoreError) {
        let (idText, kindText) = (row.text(0) ?? "", row.text(2) ?? "")
        guard let id = CallID(text: idText) else { throw row.unexpected("the call id \"\(idText)\", which is no UUID") }
        guard let kind = Kind(rawValue: kindText) else { throw row.unexpected("the unknown event \"\(kindText)\"") }
        self.init(
            call: id, sequence: row.int(1) ?? 0, kind: kind, occurredAt: StoredTime.date(row.integer(3) ?? 0),
            elapsed: StoredTime.duration(row.integer(4) ?? 0), title: row.text(5) ?? "", detail: row.text(6),
            retryAttempt: row.int(7), retryDelay: row.integer(8).map(StoredTime.duration))
    }
}
