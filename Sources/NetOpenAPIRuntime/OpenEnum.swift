/// An enumeration of a document: its known values, and one case that keeps any other value.
///
/// A value that the document did not list when the code was generated survives a round trip.
///
///     enum Color: OpenEnum {
///         case red, green
///         case unknown(String)
///         static let allCases: [Self] = [.red, .green]
///         static let knownValues: [String] = ["red", "green"]
///         var unknownValue: String? { if case .unknown(let value) = self { value } else { nil } }
///     }
public protocol OpenEnum: Codable, Hashable, Sendable, CaseIterable, CustomStringConvertible where AllCases == [Self] {
    // Not RawRepresentable: two values of such a type are equal when their raw values are, and the raw value of a case
    // is found by comparing cases.
    /// The type of the document's values.
    associatedtype RawValue: Codable, Hashable, Sendable, LosslessStringConvertible
    /// The raw values of ``allCases``, in that order.
    static var knownValues: [RawValue] { get }
    /// The case for a value that the document does not list.
    static func unknown(_ value: RawValue) -> Self
    /// The value of that case; nil for every other one.
    var unknownValue: RawValue? { get }
    /// Every raw value has a case.
    init(rawValue: RawValue)
}

extension OpenEnum {
    /// The case of that value; ``unknown(_:)`` for one that is not listed.
    public init(rawValue: RawValue) {
        let place = Self.knownValues.firstIndex(of: rawValue)
        self = place.map { Self.allCases[$0] } ?? .unknown(rawValue)
    }

    /// The value as the document has it.
    public var rawValue: RawValue {
        if let unknownValue { return unknownValue }
        // `allCases` lists every other case: the first stands in where a type of your own forgets one.
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

    /// Whether the document lists the value.
    public var isKnown: Bool { unknownValue == nil }
}
