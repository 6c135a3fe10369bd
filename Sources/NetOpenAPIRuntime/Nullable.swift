/// A value that may be sent as an explicit `null`.
///
/// A property of type `Nullable<T>?` has the three states that a document can distinguish: nil omits the member,
/// `.null` sends `null`, `.value` sends the value. Literals are values: `user.nickname = "ada"`.
public enum Nullable<Value> {
    /// An explicit `null`.
    case null
    /// A value.
    case value(Value)

    /// Creates a value from an optional; nil becomes `.null`.
    public init(_ value: Value?) {
        self = value.map { .value($0) } ?? .null
    }

    /// The value; nil for `null`.
    public var value: Value? { if case .value(let value) = self { value } else { nil } }

    /// True for `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}

extension Nullable: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a member that's present and `null` as `.null`, not as nil. Synthesized conformances call this overload.
    public func decodeIfPresent<Value: Decodable>(
        _ type: Nullable<Value>.Type, forKey key: Key
    ) throws -> Nullable<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}

extension Nullable: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
        self = .value(Value(unicodeScalarLiteral: value))
    }
}

extension Nullable: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self = .value(Value(extendedGraphemeClusterLiteral: value))
    }
}

extension Nullable: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension Nullable: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension Nullable: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Value.FloatLiteralType) { self = .value(Value(floatLiteral: value)) }
}

extension Nullable: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}
