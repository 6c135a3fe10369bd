/// Finds the member of a `oneOf` or `anyOf` that best fits a payload without a discriminator.
///
/// Members are ordered by fit: first those whose fixed values (`const`, `enum`) match the payload, then those that know
/// most of the payload's keys; ties keep the document's order. The first one that can be decoded is used.
@_spi(Generated) public struct UnionDecoder<Union> {
    private struct Candidate {
        let score: Int
        /// True if the payload looks like this member and nothing else.
        let isMeant: Bool
        let type: any Decodable.Type
        let decode: () throws -> Union
    }

    private let decoder: any Decoder
    /// The decoder, if it's one that knows the kind of the payload.
    private let tree: JSONTreeDecoder?
    private let keys: Set<String>
    private let container: KeyedDecodingContainer<JSONKey>?
    private var candidates: [Candidate] = []

    /// Creates a union decoder and reads the payload's keys.
    @_spi(Generated) public init(_ decoder: any Decoder) {
        self.decoder = decoder
        tree = decoder as? JSONTreeDecoder
        container = decoder.objectContainer
        keys = container.map { Set($0.allKeys.lazy.map(\.stringValue)) } ?? []
    }

    /// Adds a member of the union.
    ///
    /// - Parameters:
    ///   - keys: The members it knows, if it's an object.
    ///   - fixed: The members that allow only certain strings, with these strings.
    ///   - isOpen: True if it accepts members that it doesn't know. A member of the union that doesn't, and knows none
    ///     of
    ///     the payload's, isn't tried. Default false.
    @_spi(Generated) public mutating func consider<Value: Decodable>(
        _ type: Value.Type, keys known: [String] = [], fixed: [String: [String]] = [:], isOpen: Bool = false,
        as wrap: @escaping (Value) -> Union
    ) {
        let shared = known.reduce(0) { $0 + (keys.contains($1) ? 1 : 0) }
        if shared == 0, !isOpen, !known.isEmpty, !keys.isEmpty { return }
        var score = shared * 2
        if keys.count > known.count { score -= 1 }
        var isMeant = container == nil || shared * 2 >= keys.count
        for (key, values) in fixed {
            guard let value = try? container?.decodeIfPresent(String.self, forKey: JSONKey(key)) else { continue }
            let fits = values.contains(value)
            score += fits ? 1000 : -1000
            isMeant = fits
        }
        append(score: score, isMeant: isMeant, wrap)
    }

    /// Adds an enumeration: a listed value comes before anything else, any other value last.
    @_spi(Generated) public mutating func consider<Value: OpenEnum>(
        _ type: Value.Type, as wrap: @escaping (Value) -> Union
    ) {
        let value = try? Value(from: decoder)
        append(score: value?.isKnown == true ? 1000 : -1000, isMeant: container == nil, wrap)
    }

    private mutating func append<Value: Decodable>(
        score: Int, isMeant: Bool, _ wrap: @escaping (Value) -> Union
    ) {
        // Of the members that a text, a number or a list can't be, only the first is kept, for its error.
        if container == nil, !candidates.isEmpty, let tree,
            !tree.mayHold(Value.self, isObject: Value.self is any SchemaMembers.Type)
        {
            return
        }
        let decoder = decoder
        // Decodes through a container: the coder's rules for dates and data apply only there.
        let decode = { wrap(try decoder.singleValueContainer().decode(Value.self)) }
        candidates.append(
            Candidate(score: score, isMeant: isMeant, type: Value.self, decode: decode))
    }

    /// Returns the best member that can be decoded; nil if none can and the payload is an object of another kind.
    ///
    /// - Throws: The error of the best-fitting member, if the payload is meant to be that one: most of its keys are
    ///   known, or a fixed value says so.
    @_spi(Generated) public func best() throws -> Union? {
        guard let tree, tree.holdsContainers else { return try firstThatFits() }
        return try tree.union(candidates.map { ObjectIdentifier($0.type) }, firstThatFits)
    }

    private func firstThatFits() throws -> Union? {
        var failed: (score: Int, error: any Error)?
        var skipped: Candidate?
        for candidate in ordered {
            if container == nil, let tree,
                !tree.mayHold(candidate.type, isObject: candidate.type is any SchemaMembers.Type)
            {
                if failed == nil, skipped == nil { skipped = candidate }
                continue
            }
            // A member that knows less of an object would drop the rest of it.
            if let failed, container != nil, candidate.score < failed.score { break }
            do {
                return try candidate.decode()
            } catch {
                if failed == nil, candidate.isMeant { failed = (candidate.score, error) }
            }
        }
        // The error of the best member describes what was expected.
        if let skipped { return try skipped.decode() }
        if let failed { throw failed.error }
        return nil
    }

    /// The candidates, best first; ties in the document's order.
    private var ordered: [Candidate] {
        guard zip(candidates, candidates.dropFirst()).contains(where: { $0.score < $1.score }) else {
            return candidates
        }
        return candidates.enumerated().sorted { left, right in
            (right.element.score, left.offset) < (left.element.score, right.offset)
        }.map(\.element)
    }

    /// Returns the best member that can be decoded.
    ///
    /// - Throws: `DecodingError` if none can.
    @_spi(Generated) public func match() throws -> Union {
        if let value = try best() { return value }
        throw DecodingError.typeMismatch(
            Union.self,
            .init(codingPath: decoder.codingPath, debugDescription: "the value matches no case of the union"))
    }
}

extension Decoder {
    /// The members of an object; nil for any other value, without the cost of an error.
    var objectContainer: KeyedDecodingContainer<JSONKey>? {
        if let decoder = self as? JSONTreeDecoder, !decoder.isObject { return nil }
        return try? container(keyedBy: JSONKey.self)
    }

    /// Returns the text of a discriminator; nil if the payload has none or isn't an object.
    @_spi(Generated) public func discriminator(_ name: String) -> String? {
        guard let container = objectContainer else { return nil }
        let key = JSONKey(name)
        if let text = try? container.decodeIfPresent(String.self, forKey: key) { return text }
        return (try? container.decodeIfPresent(Int64.self, forKey: key)).map(String.init)
    }

    /// Returns the value as it arrived, for a discriminator value that the document doesn't list.
    ///
    /// - Throws: `DecodingError` if the payload has no such member, and so isn't any of the union's members.
    @_spi(Generated) public func unlisted(discriminator name: String) throws -> JSONValue {
        let value = try JSONValue(from: self)
        guard value[name] == nil else { return value }
        throw DecodingError.keyNotFound(
            JSONKey(name), .init(codingPath: codingPath, debugDescription: "the union's discriminator is missing"))
    }
}

extension Encoder {
    /// Encodes one value in place of the whole, with the coder's rules for dates and data.
    @_spi(Generated) public func encode(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }

    /// Encodes an object and then its discriminator, so that the two always agree.
    @_spi(Generated) public func encode(_ value: some Encodable, discriminator name: String, _ text: String) throws {
        try value.encode(to: self)
        var container = container(keyedBy: JSONKey.self)
        try container.encode(text, forKey: JSONKey(name))
    }

    /// Encodes the members that a struct doesn't declare; omits known names, because their properties take precedence.
    @_spi(Generated) public func encode(others: [String: some Encodable], besides known: Set<String> = []) throws {
        var container = container(keyedBy: JSONKey.self)
        for (key, value) in others where !known.contains(key) { try container.encode(value, forKey: JSONKey(key)) }
    }
}
