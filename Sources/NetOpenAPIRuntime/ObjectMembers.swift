/// Reads the members of a JSON object for a generated type.
///
/// An optional member of the wrong type doesn't stop reading: ``SchemaObject`` throws the first such error at the end.
/// A required member that's missing throws immediately.
public struct ObjectMembers {
    private let container: KeyedDecodingContainer<JSONKey>
    /// The requested names, from which the others follow.
    private var asked: [String] = []
    /// The requested members that are present and `null`.
    private var nulls: [String] = []
    /// The number of requested members that are present.
    private var foundCount = 0
    private var error: (any Error)?

    /// Opens an object; throws `DecodingError.typeMismatch` for anything else.
    init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: JSONKey.self)
        asked.reserveCapacity(16)
    }

    /// Returns the member with that name; throws `DecodingError` if it's missing or of another type.
    ///
    /// If the type is optional, `null` becomes nil; a missing member still throws.
    @_spi(Generated) public mutating func required<Value: Decodable>(_ name: String) throws -> Value {
        let value = try container.decode(Value.self, forKey: JSONKey(name))
        asked.append(name)
        foundCount += 1
        return value
    }

    /// Returns the member with that name; nil if it's missing or `null`.
    @_spi(Generated) public mutating func optional<Value: Decodable>(_ name: String) -> Value? {
        let value: Value? = read(name)
        if value == nil, container.contains(JSONKey(name)) {
            nulls.append(name)
            foundCount += 1
        }
        return value
    }

    /// Returns the member with that name; nil if it's missing, `.null` if it's `null`.
    @_spi(Generated) public mutating func nullable<Value: Decodable>(_ name: String) -> Nullable<Value>? {
        // Decodes explicitly: for a generic type, `decodeIfPresent` resolves to the overload that turns `null` into
        // nil.
        read(name) { container, key in
            try container.contains(key) ? container.decode(Nullable<Value>.self, forKey: key) : nil
        }
    }

    private mutating func read<Value: Decodable>(
        _ name: String,
        _ decode: (KeyedDecodingContainer<JSONKey>, JSONKey) throws -> Value? = {
            try $0.decodeIfPresent(Value.self, forKey: $1)
        }
    ) -> Value? {
        asked.append(name)
        do {
            guard let value = try decode(container, JSONKey(name)) else { return nil }
            foundCount += 1
            return value
        } catch {
            self.error = self.error ?? error
            return nil
        }
    }

    /// Returns all members that weren't requested: the ones that a schema allows as `additionalProperties`. They count
    /// as requested from then on.
    @_spi(Generated) public mutating func others<Value: Decodable>() -> [String: Value] {
        var result: [String: Value] = [:]
        for key in unknownKeys() {
            asked.append(key.stringValue)
            foundCount += 1
            do {
                result[key.stringValue] = try container.decode(Value.self, forKey: key)
            } catch {
                self.error = self.error ?? error
            }
        }
        return result
    }

    /// Returns the members that weren't requested, and the optional members that are `null`.
    ///
    /// A number that no type can represent, such as `1e400`, is an error like that of an optional member: it would be
    /// lost.
    @_spi(Generated) public mutating func undeclared() -> UndeclaredMembers {
        var members = UndeclaredMembers()
        for key in unknownKeys() {
            do {
                members.add(key.stringValue, try container.decode(JSONValue.self, forKey: key))
            } catch {
                self.error = self.error ?? error
            }
        }
        for name in nulls { members.addNull(of: name) }
        return members
    }

    private func unknownKeys() -> [JSONKey] {
        let keys = container.allKeys
        // Usually there are no others, and no names are compared.
        guard keys.count != foundCount else { return [] }
        let known = Set(asked)
        return keys.filter { !known.contains($0.stringValue) }
    }

    /// Throws the first error of an optional member.
    func finish() throws {
        if let error { throw error }
    }
}
