/// An enumeration of a document: its known values, and one case that keeps any other value.
///
/// A value that the document did not list when the code was generated survives a round trip.
public protocol OpenEnum: RawRepresentable, Codable, Hashable, Sendable, CaseIterable, CustomStringConvertible
where RawValue: Hashable & Sendable & Codable & LosslessStringConvertible {
    /// Every raw value has a case.
    init(rawValue: RawValue)
    /// Whether the document lists the value.
    var isKnown: Bool { get }
}

extension OpenEnum {
    /// The raw value as text.
    public var description: String { rawValue.description }

    /// Whether the document lists the value.
    public var isKnown: Bool { Self.allCases.contains(self) }
}
