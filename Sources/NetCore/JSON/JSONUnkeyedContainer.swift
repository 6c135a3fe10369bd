/// The elements of an array, one by one.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    private let decoder: JSONTreeDecoder
    /// The entry of the next element.
    private var next: Int
    private let total: Int
    private(set) var currentIndex = 0

    /// The decoder's value must be an array.
    init(_ decoder: JSONTreeDecoder) {
        self.decoder = decoder
        next = decoder.index + 1
        total = Int(decoder.entry.count)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { total }
    var isAtEnd: Bool { currentIndex >= total }

    /// Reads the next element, and advances if that doesn't throw.
    private mutating func element<Value>(
        _ type: Any.Type, _ read: (_ index: Int, _ place: JSONIndexKey) throws -> Value
    ) throws -> Value {
        let key = JSONIndexKey(currentIndex)
        guard !isAtEnd else { throw JSONFailure.atEnd(type, decoder.path(key)) }
        let value = try read(next, key)
        advance()
        return value
    }

    private mutating func advance() {
        next = decoder.document.next(after: next)
        currentIndex += 1
    }

    private mutating func integer<Value: FixedWidthInteger>() throws -> Value {
        let decoder = decoder
        return try element(Value.self) { try decoder.integer($0, $1) }
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw JSONFailure.atEnd(Any?.self, decoder.path(JSONIndexKey(currentIndex))) }
        guard decoder.document.entries[next].kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        let decoder = decoder
        return try element(type) { try decoder.bool($0, $1) }
    }
    mutating func decode(_ type: String.Type) throws -> String {
        let decoder = decoder
        return try element(type) { try decoder.string($0, $1) }
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        let decoder = decoder
        return try element(type) { try decoder.double($0, $1) }
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        let decoder = decoder
        return try element(type) { try decoder.float($0, $1) }
    }
    mutating func decode(_ type: Int.Type) throws -> Int { try integer() }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let decoder = decoder
        return try element(type) { try decoder.value(type, $0, $1) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let decoder = decoder
        return try element(KeyedDecodingContainer<Nested>.self) { try decoder.nested($0, $1).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let decoder = decoder
        return try element((any UnkeyedDecodingContainer).self) { try decoder.nested($0, $1).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = decoder
        return try element((any Decoder).self) { decoder.nested($0, $1) }
    }
}
