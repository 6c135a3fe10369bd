/// The members of a JSON object while a generated type reads them.
///
///     struct Pet: Decodable {
///         var name: String
///         var age: Int?
///         init(from decoder: any Decoder) throws {
///             let members = try ObjectMembers(decoder)
///             name = try members.required("name")
///             age = try members.optional("age")
///         }
///     }
public struct ObjectMembers {
    private let container: KeyedDecodingContainer<JSONKey>

    /// Opens the object; throws `DecodingError.typeMismatch` for anything else.
    public init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: JSONKey.self)
    }

    /// The member of that name; throws `DecodingError` where it is missing or of another type.
    ///
    /// With an optional type `null` is nil, and a member that is missing throws all the same.
    public func required<Value: Decodable>(_ name: String) throws -> Value {
        try container.decode(Value.self, forKey: JSONKey(name))
    }

    /// The member of that name; nil where it is missing or `null`.
    public func optional<Value: Decodable>(_ name: String) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: JSONKey(name))
    }

    /// The member of that name; nil where it is missing, `.null` where it is `null`.
    public func nullable<Value: Decodable>(_ name: String) throws -> Nullable<Value>? {
        try container.decodeIfPresent(Nullable<Value>.self, forKey: JSONKey(name))
    }

    /// Every member but those: what a schema allows as `additionalProperties`.
    public func others<Value: Decodable>(besides known: Set<String> = []) throws -> [String: Value] {
        var result: [String: Value] = [:]
        for key in container.allKeys where !known.contains(key.stringValue) {
            result[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
        return result
    }
}

extension Encoder {
    /// Writes members of an object in their order; a member that is nil is left out. May be called more than once for
    /// one object.
    ///
    /// To write `null` for nil, pass a ``Nullable``.
    public func encode<each Value: Encodable>(members: repeat (String, each Value)) throws {
        var container = container(keyedBy: JSONKey.self)
        for (name, value) in repeat each members {
            if let optional = value as? any OptionalMember, optional.isNil { continue }
            try container.encode(value, forKey: JSONKey(name))
        }
    }
}

/// What tells that an optional of any type is nil.
private protocol OptionalMember {
    var isNil: Bool { get }
}

extension Optional: OptionalMember {
    fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}
