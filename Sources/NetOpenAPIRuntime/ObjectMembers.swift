/// The members of a JSON object while a generated type reads them.
///
/// An optional member that is of another type does not stop the reading: the first such error is thrown at the end, by
/// ``SchemaObject``. What is missing and must be there is thrown at once.
public struct ObjectMembers {
    private let container: KeyedDecodingContainer<JSONKey>
    /// The names that were asked for, so that the others are known.
    private var asked: [String] = []
    /// Those of them that are there and `null`.
    private var nulls: [String] = []
    /// How many of them are there.
    private var foundCount = 0
    private var error: (any Error)?

    /// Opens the object; throws `DecodingError.typeMismatch` for anything else.
    init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: JSONKey.self)
        asked.reserveCapacity(16)
    }

    /// The member of that name; throws `DecodingError` where it is missing or of another type.
    ///
    /// With an optional type `null` is nil, and a member that is missing throws all the same.
    public mutating func required<Value: Decodable>(_ name: String) throws -> Value {
        let value = try container.decode(Value.self, forKey: JSONKey(name))
        asked.append(name)
        foundCount += 1
        return value
    }

    /// The member of that name; nil where it is missing or `null`.
    public mutating func optional<Value: Decodable>(_ name: String) -> Value? {
        let value: Value? = read(name)
        if value == nil, container.contains(JSONKey(name)) {
            nulls.append(name)
            foundCount += 1
        }
        return value
    }

    /// The member of that name; nil where it is missing, `.null` where it is `null`.
    public mutating func nullable<Value: Decodable>(_ name: String) -> Nullable<Value>? {
        // By its name here: where the type is generic, `decodeIfPresent` is the one for which `null` is nothing.
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

    /// Every member but those that were asked for: what a schema allows as `additionalProperties`. They count as asked for
    /// from then on.
    public mutating func others<Value: Decodable>() -> [String: Value] {
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

    /// What was not asked for, and the optional members that are `null`.
    ///
    /// A number that no type holds, such as `1e400`, is an error like that of an optional member: it would be lost.
    public mutating func undeclared() -> UndeclaredMembers {
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
        // Commonly there is no other, and then no name is compared.
        guard keys.count != foundCount else { return [] }
        let known = Set(asked)
        return keys.filter { !known.contains($0.stringValue) }
    }

    /// Throws the first error of an optional member.
    func finish() throws {
        if let error { throw error }
    }
}
