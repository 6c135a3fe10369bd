/// A parameter of a header field: a name with a value (RFC 9110 section 5.6.6).
public struct FieldParameter: Sendable, Hashable {
    /// The name in lowercase.
    public let name: String
    /// The value, without quotes and escapes.
    public let value: String

    /// Creates a parameter.
    public init(_ name: String, _ value: String) {
        self.name = name.lowercased()
        self.value = value
    }
}

extension FieldParameter: CustomReflectable {
    /// The parameters that prove the knowledge of a password (RFC 7616).
    private static let proofs: Set<String> = ["nonce", "cnonce", "response", "nextnonce", "rspauth", "opaque"]

    /// The name, and the value unless it's a secret or part of a proof.
    public var customMirror: Mirror {
        let value = Self.proofs.contains(name) ? Printed.hidden : Printed.value(value, named: name)
        return Mirror(self, children: ["name": name, "value": value], displayStyle: .struct)
    }
}
