/// A hash algorithm of RFC 9530: an open set, of which those that withstand an attacker are named here.
public struct DigestAlgorithm: Sendable, Hashable, RawRepresentable {
    /// The key in the registry, such as `sha-256`.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// SHA-256.
    public static let sha256 = DigestAlgorithm(rawValue: "sha-256")
    /// SHA-512.
    public static let sha512 = DigestAlgorithm(rawValue: "sha-512")
}

extension NetError.Code {
    /// The body is not what its `Content-Digest` or `Repr-Digest` says: it was changed on its way.
    public static let digestMismatch = NetError.Code(rawValue: "digestMismatch")
}
