/// What a stub asks of a query item or field.
public struct ValueMatcher: Sendable, CustomStringConvertible {
    /// What is asked, for people.
    public let description: String
    private let accepts: @Sendable ([String]) -> Bool

    /// Accepts what `accepts` says of all the values of the name, none where it is absent.
    public init(_ description: String, accepts: @escaping @Sendable ([String]) -> Bool) {
        self.description = description
        self.accepts = accepts
    }

    /// The name is there, with whatever value.
    public static let present = ValueMatcher("present") { !$0.isEmpty }
    /// The name is not there.
    public static let absent = ValueMatcher("absent") { $0.isEmpty }

    /// One of its values is exactly this.
    public static func exact(_ value: String) -> ValueMatcher {
        ValueMatcher("\"\(value)\"") { $0.contains(value) }
    }

    /// One of its values satisfies the closure.
    public static func satisfying(_ accepts: @escaping @Sendable (String) -> Bool) -> ValueMatcher {
        ValueMatcher("a value its closure accepts") { $0.contains(where: accepts) }
    }

    func matches(_ values: [String]) -> Bool { accepts(values) }
}

extension ValueMatcher: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self = .exact(value)
    }
}
