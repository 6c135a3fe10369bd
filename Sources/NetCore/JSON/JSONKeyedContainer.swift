/// The members of an object, for types that read them by name.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: JSONTreeDecoder
    private let members: JSONMembers

    /// The decoder's value must be an object.
    init(_ decoder: JSONTreeDecoder, names: JSONNames) throws {
        self.decoder = decoder
        members = try JSONMembers(decoder, names: names)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.names.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { members.index(of: key.stringValue) != nil }

    private func index(_ key: Key) throws -> Int {
        guard let index = members.index(of: key.stringValue) else { throw JSONFailure.missing(key, codingPath) }
        return index
    }

    /// Returns the entry of a value; nil if it is missing or null.
    private func present(_ key: Key) -> Int? {
        guard let index = members.index(of: key.stringValue), decoder.document.entries[index].kind != .null else {
            return nil
        }
        return index
    }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.document.entries[try index(key)].kind == .null }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder.bool(index(key), key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder.string(index(key), key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder.double(index(key), key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder.float(index(key), key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder.integer(index(key), key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder.integer(index(key), key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder.integer(index(key), key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder.integer(index(key), key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder.integer(index(key), key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder.integer(index(key), key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder.integer(index(key), key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder.integer(index(key), key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder.integer(index(key), key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder.integer(index(key), key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder.integer(index(key), key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decoder.integer(index(key), key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.value(type, index(key), key)
    }

    // Only the common types; for the others, the default implementation makes three lookups.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try decoder.bool($0, key) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try decoder.string($0, key) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try decoder.integer($0, key) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try decoder.double($0, key) }
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try decoder.value(type, $0, key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.nested(index(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.nested(index(key), key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder(for: JSONKey("super")) }
    func superDecoder(forKey key: Key) -> any Decoder { decoder(for: key) }

    /// Returns the decoder of a member, or a decoder of null if the member is missing.
    private func decoder(for key: any CodingKey) -> any Decoder {
        if let index = members.index(of: key.stringValue) { return decoder.nested(index, key) }
        return JSONNullDecoder(codingPath: decoder.path(key), userInfo: decoder.userInfo)
    }
}
