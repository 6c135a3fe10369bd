#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decodes the text of a header as the requested type: the text itself, a number, or comma-separated elements.
struct FieldDecoder: Decoder {
    let text: String
    let codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the decoded value; throws `DecodingError` if the text isn't of that type.
    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        // Foundation's types would request the representations that its own coders use.
        let known: Any? =
            switch type {
            case is String.Type: text
            case is JSONValue.Type: JSONValue.string(text)
            case is Date.Type: try required(RFC3339.date(from: text), type)
            case is URL.Type: try required(URL(string: text), type)
            case is Data.Type: try required(Data(base64Encoded: text), type)
            case is Decimal.Type: try required(isNumber(text) ? Decimal(string: text) : nil, type)
            default: nil
            }
        if let value = known as? Value { return value }
        return try Value(from: FieldDecoder(text: text))
    }

    /// Returns true if the text has only characters of JSON numbers; Swift's own parsers also accept `nan` and `0x1p3`.
    static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    }

    static func required<Value>(_ value: Value?, _ type: Any.Type) throws -> Value {
        guard let value else {
            // Omits the text: errors are printed, and it may be a secret.
            throw DecodingError.typeMismatch(
                type, .init(codingPath: [], debugDescription: "the header can't be read as \(type)"))
        }
        return value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw DecodingError.typeMismatch(
            [String: Any].self, .init(codingPath: [], debugDescription: "a header can't be read as an object"))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return FieldElements(
            elements: text.split(separator: ",").map { part in
                String(part.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
            })
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { FieldScalar(text: text) }
}

/// The whole text as one value.
private struct FieldScalar: SingleValueDecodingContainer {
    let text: String
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { false }
    func decode(_ type: Bool.Type) throws -> Bool { try FieldDecoder.required(Bool(text), type) }
    func decode(_ type: String.Type) throws -> String { text }
    func decode(_ type: Double.Type) throws -> Double {
        try FieldDecoder.required(FieldDecoder.isNumber(text) ? Double(text) : nil, type)
    }
    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try whole(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try whole(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try whole(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try whole(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try whole(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try whole(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try whole(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try whole(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try whole(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try whole(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try FieldDecoder.decode(type, text) }

    private func whole<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        try FieldDecoder.required(Value(text), type)
    }
}

/// The elements of a comma-separated list, one after another.
private struct FieldElements: UnkeyedDecodingContainer {
    let elements: [String]
    let codingPath: [any CodingKey] = []
    var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [String]) {
        self.elements = elements
    }

    private mutating func next() throws -> FieldDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                String.self, .init(codingPath: [], debugDescription: "the list has no more elements"))
        }
        currentIndex += 1
        return FieldDecoder(text: elements[currentIndex - 1])
    }

    mutating func decodeNil() -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try FieldDecoder.decode(type, next().text)
    }
    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
