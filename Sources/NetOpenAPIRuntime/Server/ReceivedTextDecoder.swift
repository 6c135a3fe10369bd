internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ReceivedText {
    /// Returns the decoded value; nil if the value is absent. Throws `DecodingError` if the text isn't of this type.
    func decodedIfPresent<Value: Decodable>(as type: Value.Type) throws -> Value? {
        guard isAbsent else { return try ReceivedTextDecoder.decode(type, self) }
        // Only an object can be decoded from members with other names.
        let decoder = ReceivedTextDecoder(input: self)
        let value = try? Value(from: decoder)
        return decoder.hasFoundMember.isTrue ? value : nil
    }

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try ReceivedTextDecoder.decode(type, self)
    }
}

/// A decoder of received text for any type.
struct ReceivedTextDecoder: Decoder {
    /// Set when a member is found; a class, because decoders are values.
    final class Note {
        var isTrue = false
    }

    let input: ReceivedText
    let hasFoundMember = Note()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<Value: Decodable>(_ type: Value.Type, _ input: ReceivedText) throws -> Value {
        if type is any FieldScalarType.Type {
            return try FieldDecoder.decode(type, FieldDecoder.required(input.scalar, type))
        }
        if type == JSONValue.self, let value = json(input) as? Value { return value }
        return try Value(from: ReceivedTextDecoder(input: input))
    }

    private static func json(_ input: ReceivedText) -> JSONValue {
        if input.whole == nil, !input.members.isEmpty {
            return .object(Dictionary(input.members.map { ($0.name, json($0.value)) }, uniquingKeysWith: { $1 }))
        }
        return input.texts.count > 1 ? .array(input.texts.map { .string($0) }) : .string(input.scalar ?? "")
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ReceivedMembers<Key>(input: input, note: hasFoundMember))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ReceivedElements(elements: input.texts.map { ReceivedText([$0]) })
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { ReceivedScalar(input: input) }
}

/// The types that aren't coded as texts by default.
private protocol FieldScalarType {}
extension Date: FieldScalarType {}
extension URL: FieldScalarType {}
extension Data: FieldScalarType {}
extension Decimal: FieldScalarType {}

private struct ReceivedScalar: SingleValueDecodingContainer {
    let input: ReceivedText
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { input.scalar == "" }
    func decode(_ type: String.Type) throws -> String { try FieldDecoder.required(input.scalar, type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard type is any FieldPrimitive.Type else { return try ReceivedTextDecoder.decode(type, input) }
        return try FieldDecoder.decode(type, FieldDecoder.required(input.scalar, type))
    }
    func decode(_ type: Bool.Type) throws -> Bool { try primitive(type) }
    func decode(_ type: Double.Type) throws -> Double { try primitive(type) }
    func decode(_ type: Float.Type) throws -> Float { try primitive(type) }
    func decode(_ type: Int.Type) throws -> Int { try primitive(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try primitive(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try primitive(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try primitive(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try primitive(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try primitive(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try primitive(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try primitive(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try primitive(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try primitive(type) }

    private func primitive<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try FieldDecoder.decode(type, FieldDecoder.required(input.scalar, type))
    }
}

/// The types that decode themselves from a container of one value.
private protocol FieldPrimitive {}
extension Bool: FieldPrimitive {}
extension Double: FieldPrimitive {}
extension Float: FieldPrimitive {}
extension Int: FieldPrimitive {}
extension Int8: FieldPrimitive {}
extension Int16: FieldPrimitive {}
extension Int32: FieldPrimitive {}
extension Int64: FieldPrimitive {}
extension UInt: FieldPrimitive {}
extension UInt8: FieldPrimitive {}
extension UInt16: FieldPrimitive {}
extension UInt32: FieldPrimitive {}
extension UInt64: FieldPrimitive {}
extension String: FieldPrimitive {}

private struct ReceivedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let input: ReceivedText
    let note: ReceivedTextDecoder.Note
    var codingPath: [any CodingKey] { [] }
    /// An absent value has no keys: the other parameters aren't unknown members of the object.
    var allKeys: [Key] { input.isAbsent ? [] : input.members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool {
        let found = input.member(key.stringValue) != nil
        if found { note.isTrue = true }
        return found
    }
    func decodeNil(forKey key: Key) throws -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        guard let value = input.member(key.stringValue) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: [key], debugDescription: "it is missing"))
        }
        note.isTrue = true
        return try ReceivedTextDecoder.decode(type, value)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try ReceivedTextDecoder(input: input.member(key.stringValue) ?? ReceivedText([])).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ReceivedTextDecoder(input: input.member(key.stringValue) ?? ReceivedText([])).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { ReceivedTextDecoder(input: input) }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        ReceivedTextDecoder(input: input.member(key.stringValue) ?? ReceivedText([]))
    }
}

private struct ReceivedElements: UnkeyedDecodingContainer {
    let elements: [ReceivedText]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    private mutating func next() throws -> ReceivedText {
        guard currentIndex < elements.count else {
            throw DecodingError.valueNotFound(
                String.self, .init(codingPath: [], debugDescription: "the list has no more elements"))
        }
        currentIndex += 1
        return elements[currentIndex - 1]
    }

    mutating func decodeNil() throws -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try ReceivedTextDecoder.decode(type, next())
    }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try ReceivedTextDecoder(input: next()).container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ReceivedTextDecoder(input: next()).unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { ReceivedTextDecoder(input: try next()) }
}
