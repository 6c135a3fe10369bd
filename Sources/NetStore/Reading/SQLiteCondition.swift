/// Conditions over `net_item AS i`, joined by AND, with their parameters. The SQL is ours; values only ever travel as
/// parameters.
struct SQLiteCondition: Sendable, Hashable {
    private var terms: [String] = []
    private(set) var values: [SQLiteValue] = []

    /// Every entry.
    static let all = SQLiteCondition()

    var isAll: Bool { terms.isEmpty }

    mutating func add(_ term: String, _ values: SQLiteValue...) {
        terms.append(term)
        self.values += values
    }

    /// Adds a term with any number of parameters.
    mutating func add(_ term: String, values: [SQLiteValue]) {
        terms.append(term)
        self.values += values
    }

    /// ` WHERE …`, empty without a condition.
    var clause: String { terms.isEmpty ? "" : " WHERE " + joined }

    /// The terms as one expression; `1` without a condition.
    var expression: String { terms.isEmpty ? "1" : joined }

    private var joined: String { terms.map { "(\($0))" }.joined(separator: " AND ") }

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
