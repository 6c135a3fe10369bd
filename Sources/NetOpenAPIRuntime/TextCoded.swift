#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that a document writes as a string although Swift has a better type for it: `string` with the format
/// `decimal`.
public protocol TextCoded {
    /// The value as it is coded.
    associatedtype Coded: Codable & Hashable & Sendable
    /// Creates the value from its coded form.
    init(coded: Coded)
    /// The value in its coded form.
    var coded: Coded { get }
}

/// A decimal number that is coded as a string.
///
/// Decodes a JSON number too. Throws `DecodingError` for other text, and for more than the 38 digits that a `Decimal`
/// keeps.
public struct DecimalText: Codable, Hashable, Sendable {
    /// The number.
    public let value: Decimal

    /// Creates the text of a number.
    public init(_ value: Decimal) {
        self.value = value
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            value = try container.decode(Decimal.self)
            return
        }
        guard FieldDecoder.isNumber(text), text.utf8.count(where: { $0 >= 48 && $0 <= 57 }) <= 38,
            let value = Decimal(string: text)
        else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the text isn't a decimal number")
        }
        self.value = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value.description)
    }
}

extension Decimal: TextCoded {
    public init(coded: DecimalText) { self = coded.value }
    public var coded: DecimalText { DecimalText(self) }
}

extension Optional: TextCoded where Wrapped: TextCoded {
    public init(coded: Wrapped.Coded?) { self = coded.map { Wrapped(coded: $0) } }
    public var coded: Wrapped.Coded? { map(\.coded) }
}

extension Nullable: TextCoded where Value: TextCoded {
    public init(coded: Nullable<Value.Coded>) { self.init(coded.value.map { Value(coded: $0) }) }
    public var coded: Nullable<Value.Coded> { Nullable<Value.Coded>(value?.coded) }
}

extension Array: TextCoded where Element: TextCoded {
    public init(coded: [Element.Coded]) { self = coded.map { Element(coded: $0) } }
    public var coded: [Element.Coded] { map(\.coded) }
}

extension Dictionary: TextCoded where Key == String, Value: TextCoded {
    public init(coded: [String: Value.Coded]) { self = coded.mapValues { Value(coded: $0) } }
    public var coded: [String: Value.Coded] { mapValues(\.coded) }
}

extension ObjectMembers {
    /// Returns a member like ``required(_:)``, from a string.
    @_spi(Generated) public mutating func requiredText<Value: TextCoded>(_ name: String) throws -> Value {
        Value(coded: try required(name))
    }

    /// Returns a member like ``optional(_:)``, from a string.
    @_spi(Generated) public mutating func optionalText<Value: TextCoded>(_ name: String) -> Value? {
        optional(name).map { Value(coded: $0) }
    }

    /// Returns a member like ``nullable(_:)``, from a string.
    @_spi(Generated) public mutating func nullableText<Value: TextCoded>(_ name: String) -> Nullable<Value>? {
        nullable(name).map { Nullable<Value>(coded: $0) }
    }
}
