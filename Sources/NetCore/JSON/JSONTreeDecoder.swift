#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The state that all decoders of one document share.
final class JSONDecoding {
    let document: JSONDocument
    let settings: JSONDecodingSettings
    /// The results of the unions tried inside other unions.
    var unions = UnionResults()

    init(_ document: JSONDocument, _ settings: JSONDecodingSettings) {
        self.document = document
        self.settings = settings
    }
}

/// Decodes the value at one position of a ``JSONDocument`` according to the settings of a `JSONDecoder`.
///
/// The errors and conversions are those of Foundation's decoder. Unlike there, a type that tries several containers
/// doesn't pay for its depth with every attempt, and ``JSONValue`` is read directly.
package final class JSONTreeDecoder: Decoder {
    let shared: JSONDecoding
    /// The entry of the value.
    let index: Int
    private let parent: JSONTreeDecoder?
    private let key: (any CodingKey)?
    private var path: [any CodingKey]?

    init(_ shared: JSONDecoding, _ index: Int, parent: JSONTreeDecoder? = nil, key: (any CodingKey)? = nil) {
        self.shared = shared
        self.index = index
        self.parent = parent
        self.key = key
    }

    var document: JSONDocument { shared.document }
    var entry: JSONEntry { shared.document.entries[index] }
    package var userInfo: [CodingUserInfoKey: Any] { shared.settings.userInfo }

    package var codingPath: [any CodingKey] {
        if let path { return path }
        var path = parent?.codingPath ?? []
        if let key { path.append(key) }
        self.path = path
        return path
    }

    func path(_ key: (any CodingKey)?) -> [any CodingKey] { key.map { codingPath + [$0] } ?? codingPath }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try members(names: shared.settings.names, as: type))
    }

    func members<Key: CodingKey>(names: JSONNames, as type: Key.Type) throws -> JSONKeyedContainer<Key> {
        let entry = entry
        guard entry.kind == .object else {
            let expected = [String: Any].self
            throw entry.kind == .null
                ? JSONFailure.null(expected, codingPath) : JSONFailure.mismatch(expected, entry, codingPath)
        }
        return try JSONKeyedContainer<Key>(self, names: names)
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let entry = entry
        guard entry.kind == .array else {
            throw entry.kind == .null
                ? JSONFailure.null([Any].self, codingPath) : JSONFailure.mismatch([Any].self, entry, codingPath)
        }
        return JSONUnkeyedContainer(self)
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Returns the value as a ``JSONValue``.
    func value() throws -> JSONValue { try openValue(index, nil) }
}

extension JSONTreeDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { entry.kind == .null }
    package func decode(_ type: Bool.Type) throws -> Bool { try bool(index, nil) }
    package func decode(_ type: String.Type) throws -> String { try string(index, nil) }
    package func decode(_ type: Double.Type) throws -> Double { try double(index, nil) }
    package func decode(_ type: Float.Type) throws -> Float { try float(index, nil) }
    package func decode(_ type: Int.Type) throws -> Int { try integer(index, nil) }
    package func decode(_ type: Int8.Type) throws -> Int8 { try integer(index, nil) }
    package func decode(_ type: Int16.Type) throws -> Int16 { try integer(index, nil) }
    package func decode(_ type: Int32.Type) throws -> Int32 { try integer(index, nil) }
    package func decode(_ type: Int64.Type) throws -> Int64 { try integer(index, nil) }
    package func decode(_ type: Int128.Type) throws -> Int128 { try integer(index, nil) }
    package func decode(_ type: UInt.Type) throws -> UInt { try integer(index, nil) }
    package func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(index, nil) }
    package func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(index, nil) }
    package func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(index, nil) }
    package func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(index, nil) }
    package func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(index, nil) }
    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type, index, nil) }
}
