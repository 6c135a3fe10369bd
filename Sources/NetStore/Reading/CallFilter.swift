#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which calls a query speaks of: those that meet every condition that is set.
///
///     let filter = CallFilter(operation: "getUser", status: 500...599)
public struct CallFilter: Sendable, Hashable {
    /// The operation's exact name.
    public var operation: String?
    /// The method, in any case.
    public var method: String?
    /// The host, with its port where the URL has one, in any case.
    public var host: String?
    /// The range the status lies in.
    public var status: ClosedRange<Int>?
    /// How the call ended.
    public var outcome: CallOutcome?
    /// Began at this moment or later.
    public var since: Date?
    /// Began before this moment.
    public var until: Date?
    /// Text within the URL; the case of ASCII letters does not matter.
    public var urlContains: String?

    /// Sets the conditions; without any, all calls match.
    public init(
        operation: String? = nil, method: String? = nil, host: String? = nil, status: ClosedRange<Int>? = nil,
        outcome: CallOutcome? = nil, since: Date? = nil, until: Date? = nil, urlContains: String? = nil
    ) {
        self.operation = operation
        self.method = method
        self.host = host
        self.status = status
        self.outcome = outcome
        self.since = since
        self.until = until
        self.urlContains = urlContains
    }

    /// Every call.
    public static let all = CallFilter()
}

extension CallFilter {
    /// The filter as a condition with parameters.
    var condition: SQLiteCondition {
        var condition = SQLiteCondition()
        if let operation { condition.add("operation = ?", .text(operation)) }
        if let method { condition.add("method = ?", .text(method.uppercased())) }
        if let host { condition.add("host = ?", .text(host.lowercased())) }
        if let status {
            condition.add(
                "status BETWEEN ? AND ?", .integer(Int64(status.lowerBound)), .integer(Int64(status.upperBound)))
        }
        if let outcome { condition.add("outcome = ?", .text(outcome.rawValue)) }
        if let since { condition.add("started_at >= ?", .integer(StoredTime.microseconds(of: since))) }
        if let until { condition.add("started_at < ?", .integer(StoredTime.microseconds(of: until))) }
        if let urlContains {
            condition.add("url LIKE ? ESCAPE '\\'", .text("%\(SQLiteCondition.escapingPattern(urlContains))%"))
        }
        return condition
    }
}

/// Conditions joined by AND, with their parameters. The SQL is ours; values only ever travel as parameters.
struct SQLiteCondition {
    private var terms: [String] = []
    private(set) var values: [SQLiteValue] = []

    mutating func add(_ term: String, _ values: SQLiteValue...) {
        terms.append(term)
        self.values += values
    }

    /// ` WHERE …`, empty without a condition.
    var clause: String { terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ") }

    /// The text with LIKE's wildcards made plain.
    static func escapingPattern(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            if character == "%" || character == "_" || character == "\\" { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result
    }
}
