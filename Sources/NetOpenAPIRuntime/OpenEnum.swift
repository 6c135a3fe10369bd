/// An enumeration in a document: its known values, and one case that keeps any other value.
///
/// A value that the document didn't list when the code was generated survives a round trip.
///
///     enum Color: OpenEnum {
///         case red, green
///         case unknown(String)
///         static let allCases: [Self] = [.red, .green]
///         static let knownValues: [String] = ["red", "green"]
///         var unknownValue: String? { if case .unknown(let value) = self { value } else { nil } }
///     }
public protocol OpenEnum: Codable, Hashable, Sendable, CaseIterable, CustomStringConvertible where AllCases == [Self] {
    // Not RawRepresentable: values of such a type are equal if their raw values are, and here the raw value of a case
    // is found by comparing cases.
    /// The type of the document's values.
    associatedtype RawValue: Codable, Hashable, Sendable, LosslessStringConvertible
    /// The raw values of `allCases`, in the same order.
    static var knownValues: [RawValue] { get }
    /// Returns the case for a value that the document doesn't list.
    static func unknown(_ value: RawValue) -> Self
    /// The value of the unknown case; nil for every other case.
    var unknownValue: RawValue? { get }
    /// Creates the case for a raw value; every raw value has one.
    init(rawValue: RawValue)
}

extension OpenEnum {
    /// Creates the case with that value; ``unknown(_:)`` if the value isn't listed.
    public init(rawValue: RawValue) {
        let place = Self.knownValues.firstIndex(of: rawValue)
        self = place.map { Self.allCases[$0] } ?? .unknown(rawValue)
    }

    /// The value as it appears in the document.
    public var rawValue: RawValue {
        if let unknownValue { return unknownValue }
        // `allCases` lists every other case; the first one is used if a custom type omits one.
        return Self.knownValues[Self.allCases.firstIndex(of: self) ?? 0]
    }

    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(RawValue.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// The raw value as text.
    public var description: String { rawValue.description }

    /// True if the document lists the value.
    public var isKnown: Bool { unknownValue == nil }
}
