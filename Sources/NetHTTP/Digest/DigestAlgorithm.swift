/// A hash algorithm of RFC 9530. The set is open; only algorithms that resist attacks have constants here.
public struct DigestAlgorithm: Sendable, Hashable, RawRepresentable {
    /// The key in the registry of algorithms, such as `sha-256`.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// SHA-256.
    public static let sha256 = DigestAlgorithm(rawValue: "sha-256")
    /// SHA-512.
    public static let sha512 = DigestAlgorithm(rawValue: "sha-512")
}

extension NetError.Code {
    /// The body doesn't match its `Content-Digest` or `Repr-Digest`: it was changed in transit.
    public static let digestMismatch = NetError.Code(rawValue: "digestMismatch")
}
