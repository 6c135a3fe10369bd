public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a stored call ended.
public enum CallOutcome: String, Sendable, Hashable, CaseIterable {
    /// The response was read.
    case completed
    /// The server answered with a status the request does not accept.
    case rejected
    /// No answer, or one that could not be read.
    case failed
    /// The caller cancelled.
    case cancelled
}

/// A stored failure: the code, phase and message of a `NetError`.
public struct StoredFailure: Sendable, Hashable {
    /// What happened, as `NetError.Code` names it.
    public var code: String
    /// How far the call had come, as `NetError.Phase` names it.
    public var phase: String
    /// One sentence for a person.
    public var message: String
}

/// One stored call.
public struct CallRecord: Sendable, Hashable, Identifiable {
    /// The call.
    public var id: CallID
    /// The method.
    public var method: String
    /// The redacted URL.
    public var url: String
    /// Host and port of the URL, lower-cased.
    public var host: String
    /// The path of the URL, without its query.
    public var path: String
    /// The name to group by: the request's operation id, else its name.
    public var operation: String?
    /// The request's name for people.
    public var name: String?
    /// The request's tags.
    public var tags: [String]
    /// When the call began.
    public var startedAt: Date
    /// How long the call took, retries and pauses included; nil while it runs.
    public var duration: Duration?
    /// How the call ended; nil while it runs.
    public var outcome: CallOutcome?
    /// The last status that came.
    public var status: Int?
    /// Why the call failed.
    public var failure: StoredFailure?
    /// Attempts that are over.
    public var attempts: Int
    /// Body bytes sent, where they are known.
    public var requestBytes: Int64?
    /// Body bytes received, where they are known.
    public var responseBytes: Int64?

    /// Where the next page of ``ActivityQueries/calls(matching:limit:after:)`` begins.
    public var cursor: CallCursor { CallCursor(startedAt: StoredTime.microseconds(of: startedAt), id: id) }
}

/// A place in the list of calls, newest first. It stays valid when calls are added or deleted.
public struct CallCursor: Sendable, Hashable {
    let startedAt: Int64
    let id: CallID
}

extension CallRecord {
    static let columns = """
        id, method, url, host, path, operation, name, tags, started_at, duration_us, outcome, status, error_code,
        error_phase, error_message, attempts, request_bytes, response_bytes
        """

    /// Reads a row of ``columns``.
    init(_ row: SQLiteRow) throws(StoreError) {
        let idText = row.text(0) ?? ""
        guard let id = CallID(text: idText) else { throw row.unexpected("the call id \"\(idText)\", which is no UUID") }
        self.init(
            id: id, method: row.text(1) ?? "", url: row.text(2) ?? "", host: row.text(3) ?? "",
            path: row.text(4) ?? "", operation: row.text(5), name: row.text(6),
            tags: StoredTags.tags(from: row.text(7) ?? "[]"), startedAt: StoredTime.date(row.integer(8) ?? 0),
            duration: row.integer(9).map(StoredTime.duration),
            outcome: row.text(10).flatMap(CallOutcome.init(rawValue:)), status: row.int(11),
            failure: StoredFailure(row, at: 12), attempts: row.int(15) ?? 0, requestBytes: row.integer(16),
            responseBytes: row.integer(17))
    }
}

extension StoredFailure {
    /// Reads code, phase and message from that column on; nil without a code.
    init?(_ row: SQLiteRow, at column: Int32) {
        guard let code = row.text(column) else { return nil }
        self.init(code: code, phase: row.text(column + 1) ?? "", message: row.text(column + 2) ?? "")
    }
}

extension SQLiteRow {
    /// The integer as an `Int`, nil for NULL.
    func int(_ column: Int32) -> Int? { integer(column).map { Int(clamping: $0) } }
}
