#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Any JSON value, for parts of a document without a fixed type or that generated code doesn't know yet.
///
/// Whole numbers keep all 64 bits. A fraction that a `Double` can't hold exactly as written is kept as a decimal.
///
///     let settings: JSONValue = ["theme": "dark", "size": 12]
///     print(settings["size"]?.intValue ?? 0)
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
    case number(Double)
    /// A number that a `Double` would round.
    case decimal(Decimal)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// The Boolean value; nil for anything else.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The string; nil for anything else.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The number as an `Int`; nil if it isn't whole or doesn't fit, and for anything else.
    public var intValue: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .unsigned(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number, rounded if a `Double` can't hold it; nil for anything else.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        case .decimal(let value): Double(value.description)
        default: nil
        }
    }

    /// The elements of an array; nil for anything else.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members of an object; nil for anything else.
    public var objectValue: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// True if the value is `null`.
    public var isNull: Bool { self == .null }

    /// The member of that name; nil if there is none or the value isn't an object.
    public subscript(key: String) -> JSONValue? { objectValue?[key] }

    /// The element at that index; nil if it is out of range or the value isn't an array.
    public subscript(index: Int) -> JSONValue? {
        guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Decodes the value as another type.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, coding: JSONCoding = .standard
    ) throws -> Value {
        try coding.decode(type, from: coding.encode(self))
    }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    ///
    /// ``JSONCoding`` reads it from its index of the document, in time linear in the size. Any other decoder must try
    /// one kind after another; with Foundation's decoder, each try costs more the deeper the value is nested.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONTreeDecoder {
            self = try decoder.value()
        } else {
            try self.init(probing: decoder)
        }
    }

    private init(probing decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: JSONKey.self) {
            var object: [String: JSONValue] = [:]
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !container.isAtEnd { array.append(try container.decode(JSONValue.self)) }
            self = .array(array)
        } else {
            self = try Self.scalar(in: decoder.singleValueContainer())
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        // Decoders round 1.00000000000000000001 to a whole number; the decimal reveals the rounding.
        let decimal = try? container.decode(Decimal.self)
        if let value = try? container.decode(Int64.self) {
            return decimal.flatMap { $0 == Decimal(value) ? nil : .decimal($0) } ?? .integer(value)
        }
        if let value = try? container.decode(UInt64.self) { return .unsigned(value) }
        guard let number = try? container.decode(Double.self) else {
            // The decoder's own error would say that the text isn't JSON.
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: "neither Double nor Decimal holds the number")
            )
        }
        if let decimal, decimal != Decimal(string: number.description) { return .decimal(decimal) }
        return .number(number)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
