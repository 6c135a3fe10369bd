/// Stores a property outside its struct, so that a type can contain values of its own type.
///
///     struct Comment: Codable {
///         var text: String
///         @Boxed var parent: Comment?
///     }
@propertyWrapper
public struct Boxed<Value> {
    fileprivate indirect enum Storage {
        case value(Value)
    }

    private var storage: Storage

    /// Creates a box with the given value.
    public init(wrappedValue: Value) {
        storage = .value(wrappedValue)
    }

    /// The stored value.
    public var wrappedValue: Value {
        get {
            switch storage {
            case .value(let value): value
            }
        }
        set { storage = .value(newValue) }
    }
}

extension Boxed.Storage: Sendable where Value: Sendable {}
extension Boxed: Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
    public static func == (left: Boxed, right: Boxed) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Boxed: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Boxed: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Boxed: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
}

extension KeyedEncodingContainer {
    /// Omits the member if the value is nil. Synthesized conformances call this overload.
    public mutating func encode<Value: Encodable>(_ value: Boxed<Value?>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a missing member as nil. Synthesized conformances call this overload.
    public func decode<Value: Decodable>(_ type: Boxed<Value?>.Type, forKey key: Key) throws -> Boxed<Value?> {
        Boxed(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }

    /// Decodes a missing member as nil and `null` as `.null`. Synthesized conformances call this overload.
    public func decode<Value: Decodable>(
        _ type: Boxed<Nullable<Value>?>.Type, forKey key: Key
    ) throws -> Boxed<Nullable<Value>?> {
        Boxed(wrappedValue: try decodeIfPresent(Nullable<Value>.self, forKey: key))
    }
}
