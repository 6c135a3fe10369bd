/// What a stub asks of a query item or field.
public struct ValueMatcher: Sendable, CustomStringConvertible {
    /// What is asked, for people.
    public let description: String
    private let accepts: @Sendable ([String]) -> Bool
    /// Whether the description tells a value, which may be secret.
    private(set) var holdsValue = true

    /// Accepts what `accepts` says of all the values of the name, none where it is absent.
    public init(_ description: String, accepts: @escaping @Sendable ([String]) -> Bool) {
        self.description = description
        self.accepts = accepts
    }

    private init(naming description: String, accepts: @escaping @Sendable ([String]) -> Bool) {
        self.init(description, accepts: accepts)
        holdsValue = false
    }

    /// The name is there, with whatever value.
    public static let present = ValueMatcher(naming: "present") { !$0.isEmpty }
    /// The name is not there.
    public static let absent = ValueMatcher(naming: "absent") { $0.isEmpty }

    /// One of its values is exactly this.
    public static func exact(_ value: String) -> ValueMatcher {
        ValueMatcher("\"\(value)\"") { $0.contains(value) }
    }

    /// Its values are exactly these, in whatever order.
    public static func exactly(_ values: [String]) -> ValueMatcher {
        ValueMatcher(values.map { "\"\($0)\"" }.joined(separator: " and ")) { $0.sorted() == values.sorted() }
    }

    /// One of its values contains this text; case matters.
    public static func contains(_ text: String) -> ValueMatcher {
        ValueMatcher("a value that contains \"\(text)\"") { $0.contains { $0.contains(text) } }
    }

    /// One of its values satisfies the closure.
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
