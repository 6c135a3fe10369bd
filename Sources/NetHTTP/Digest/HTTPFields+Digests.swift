public import HTTPTypes

extension HTTPField.Name {
    /// `Content-Digest`: digests of the content as transferred, including its codings (RFC 9530 section 2).
    public static let contentDigest = knownName("Content-Digest")
    /// `Repr-Digest`: digests of the whole representation, even if only a part of it is sent (RFC 9530 section 3).
    public static let reprDigest = knownName("Repr-Digest")
    /// `Want-Content-Digest`: the algorithms that a peer should use (RFC 9530 section 4).
    public static let wantContentDigest = knownName("Want-Content-Digest")

    /// Creates a header name. The fallback is never used, since the names are tokens.
    private static func knownName(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .eTag }
}

extension HTTPFields {
    /// Returns the digests of a header by algorithm; empty if it's absent.
    ///
    /// A malformed header has no digests (RFC 9651 section 4.2), and a member that isn't a byte sequence is ignored.
    ///
    ///     let headers: HTTPFields = [.contentDigest: "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"]
    ///     print(headers.digests(.contentDigest)[.sha256]?.count ?? 0)  // 32
    public func digests(_ name: HTTPField.Name) -> [DigestAlgorithm: Bytes] {
        guard let text = self[name] else { return [:] }
        return Self.digests(text)
    }

    /// Sets a header to digests, in the order of their algorithms' names. An empty dictionary removes the header.
    public mutating func setDigests(_ digests: [DigestAlgorithm: Bytes], _ name: HTTPField.Name) {
        var dictionary = StructuredField.Dictionary()
        for (algorithm, digest) in digests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            dictionary[algorithm.rawValue] = .item(.byteSequence(digest))
        }
        // An algorithm whose name isn't a key can't be written, and no peer could know it.
        let text = (try? dictionary.serialized()) ?? ""
        self[name] = text.isEmpty ? nil : text
    }

    package static func digests(_ text: String) -> [DigestAlgorithm: Bytes] {
        guard let dictionary = try? StructuredField.Dictionary(parsing: text) else { return [:] }
        var digests: [DigestAlgorithm: Bytes] = [:]
        for (key, member) in dictionary {
            digests[DigestAlgorithm(rawValue: key)] = member.item?.value.byteSequence
        }
        return digests
    }
}
