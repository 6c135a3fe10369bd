/// The condition for a query item or header field.
public struct ValueMatcher: Sendable, CustomStringConvertible {
    /// The condition, for people.
    public let description: String
    private let accepts: @Sendable ([String]) -> Bool
    /// True if the description contains a value, which may be secret.
    private(set) var holdsValue = true

    /// Creates a matcher that calls `accepts` with all values of the name; the array is empty if the name is absent.
    public init(_ description: String, accepts: @escaping @Sendable ([String]) -> Bool) {
        self.description = description
        self.accepts = accepts
    }

    private init(naming description: String, accepts: @escaping @Sendable ([String]) -> Bool) {
        self.init(description, accepts: accepts)
        holdsValue = false
    }

    /// The name is present, with any value.
    public static let present = ValueMatcher(naming: "present") { !$0.isEmpty }
    /// The name is absent.
    public static let absent = ValueMatcher(naming: "absent") { $0.isEmpty }

    /// At least one value equals this.
    public static func exact(_ value: String) -> ValueMatcher {
        ValueMatcher("\"\(value)\"") { $0.contains(value) }
    }

    /// The values are exactly these, in any order.
    public static func exactly(_ values: [String]) -> ValueMatcher {
        ValueMatcher(values.map { "\"\($0)\"" }.joined(separator: " and ")) { $0.sorted() == values.sorted() }
    }

    /// At least one value contains this text; case matters.
    public static func contains(_ text: String) -> ValueMatcher {
        ValueMatcher("a value that contains \"\(text)\"") { $0.contains { $0.contains(text) } }
    }

    /// At least one value satisfies the closure.
    public static func satisfying(_ accepts: @escaping @Sendable (String) -> Bool) -> ValueMatcher {
        ValueMatcher(naming: "a value its closure accepts") { $0.contains(where: accepts) }
    }

    func matches(_ values: [String]) -> Bool { accepts(values) }
}

extension ValueMatcher: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self = .exact(value)
    }
}
