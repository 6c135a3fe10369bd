/// The minor version of the OpenAPI Specification that a document uses.
public enum SpecificationVersion: String, Sendable, Comparable, CaseIterable {
    /// OpenAPI 3.0.
    case openAPI30 = "3.0"
    /// OpenAPI 3.1.
    case openAPI31 = "3.1"
    /// OpenAPI 3.2.
    case openAPI32 = "3.2"

    /// Creates the version from an `openapi` field: `3.1.0` is 3.1; nil for any other version.
    public init?(field: String) {
        let match = Self.allCases.first { field == $0.rawValue || field.hasPrefix($0.rawValue + ".") }
        guard let match else { return nil }
        self = match
    }

    /// Returns true if `left` is older than `right`.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
