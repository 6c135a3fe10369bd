/// Finds the member of a `oneOf` or `anyOf` that fits a payload best, where no discriminator tells.
///
/// A member whose fixed values (`const`, `enum`) the payload carries comes first, then the member that knows most of the
/// payload's keys; among equals the document's order counts. The first that can be decoded in that order is taken.
public struct UnionDecoder<Union> {
    private struct Candidate {
        let score: Int
        let decode: () throws -> Union
    }

    private let decoder: any Decoder
    private let keys: Set<String>
    private let container: KeyedDecodingContainer<JSONKey>?
    private var candidates: [Candidate] = []

    /// Looks at the payload.
    public init(_ decoder: any Decoder) {
        self.decoder = decoder
        container = try? decoder.container(keyedBy: JSONKey.self)
        keys = Set(container?.allKeys.map(\.stringValue) ?? [])
    }

    /// Adds a member that is an object.
    ///
    /// - Parameters:
    ///   - keys: The members it knows.
    ///   - fixed: The members that can only have certain texts.
    public mutating func consider<Value: Decodable>(
        _ type: Value.Type, keys known: [String] = [], fixed: [String: [String]] = [:],
        as wrap: @escaping (Value) -> Union
    ) {
        var score = known.reduce(0) { $0 + (keys.contains($1) ? 2 : 0) }
        if keys.count > known.count { score -= 1 }
        for (key, values) in fixed {
            guard let value = try? container?.decodeIfPresent(String.self, forKey: JSONKey(key)) else { continue }
            score += values.contains(value) ? 1000 : -1000
        }
        append(score: score, wrap)
    }

    /// Adds a member that is an enumeration: a listed value is taken before anything else, any other one last.
    public mutating func consider<Value: OpenEnum>(_ type: Value.Type, as wrap: @escaping (Value) -> Union) {
        let value = try? Value(from: decoder)
        append(score: value?.isKnown == true ? 1000 : -1000, wrap)
    }

    private mutating func append<Value: Decodable>(score: Int, _ wrap: @escaping (Value) -> Union) {
        let decoder = decoder
        // Through a container: only there do the coder's rules for dates and data hold.
        candidates.append(Candidate(score: score) { wrap(try decoder.singleValueContainer().decode(Value.self)) })
    }

    /// The best member that can be decoded; nil when none can.
    public func best() -> Union? {
        let order = candidates.enumerated().sorted { left, right in
            (right.element.score, left.offset) < (left.element.score, right.offset)
        }
        for candidate in order {
            if let value = try? candidate.element.decode() { return value }
        }
        return nil
    }
}

extension Decoder {
    /// The text of a discriminator; nil where the payload has none, or is no object.
    public func discriminator(_ name: String) -> String? {
        guard let container = try? container(keyedBy: JSONKey.self) else { return nil }
        let key = JSONKey(name)
        if let text = try? container.decodeIfPresent(String.self, forKey: key) { return text }
        return (try? container.decodeIfPresent(Int64.self, forKey: key)).map(String.init)
    }

    /// The members that a struct does not name, for its `additionalProperties`.
    public func additionalProperties<Value: Decodable>(
        of type: Value.Type = Value.self, excluding known: Set<String>
    ) throws -> [String: Value] {
        let container = try container(keyedBy: JSONKey.self)
        var result: [String: Value] = [:]
        for key in container.allKeys where !known.contains(key.stringValue) {
            result[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
        return result
    }
}

extension Encoder {
    /// Writes one value in place of the whole, by the coder's rules for dates and data.
    public func encode(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }

    /// Writes an object and then its discriminator, so that the two always agree.
    public func encode(_ value: some Encodable, discriminator name: String, _ text: String) throws {
        try value.encode(to: self)
        var container = container(keyedBy: JSONKey.self)
        try container.encode(text, forKey: JSONKey(name))
    }

    /// Writes the members that a struct does not name; a known name is left out, since its property counts.
    public func encode<Value: Encodable>(
        additionalProperties: [String: Value], excluding known: Set<String>
    ) throws {
        var container = container(keyedBy: JSONKey.self)
        for (key, value) in additionalProperties where !known.contains(key) {
            try container.encode(value, forKey: JSONKey(key))
        }
    }
}
