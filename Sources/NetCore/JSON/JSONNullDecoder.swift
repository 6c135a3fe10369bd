/// A decoder of null for a missing `super`, as Foundation's decoder does it.
struct JSONNullDecoder: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw JSONFailure.null([String: Any].self, codingPath)
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw JSONFailure.null([Any].self, codingPath) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { true }
    func decode(_ type: Bool.Type) throws -> Bool { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: String.Type) throws -> String { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: Double.Type) throws -> Double { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: Float.Type) throws -> Float { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: Int.Type) throws -> Int { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: Int8.Type) throws -> Int8 { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: Int16.Type) throws -> Int16 { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: Int32.Type) throws -> Int32 { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: Int64.Type) throws -> Int64 { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: UInt.Type) throws -> UInt { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { throw JSONFailure.null(type, codingPath) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { throw JSONFailure.null(type, codingPath) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == JSONValue.self, let null = JSONValue.null as? Value { return null }
        return try Value(from: self)
    }
}
