public import HTTPTypes

extension HTTPField.Name {
    /// `Content-Digest`: of the content as it travels, its codings included (RFC 9530 section 2).
    public static let contentDigest = knownName("Content-Digest")
    /// `Repr-Digest`: of the whole representation, also where a part of it is sent (RFC 9530 section 3).
    public static let reprDigest = knownName("Repr-Digest")
    /// `Want-Content-Digest`: which algorithms a peer should use (RFC 9530 section 4).
    public static let wantContentDigest = knownName("Want-Content-Digest")

    /// The fallback is never taken: the names are tokens.
    private static func knownName(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .eTag }
}

extension HTTPFields {
    /// The digests of a field by algorithm; empty where it is absent.
    ///
    /// A field that is malformed says nothing (RFC 9651 section 4.2), and neither does a member that is no byte sequence.
    ///
    ///     let fields: HTTPFields = [.contentDigest: "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"]
    ///     print(fields.digests(.contentDigest)[.sha256]?.count ?? 0)  // 32
    public func digests(_ name: HTTPField.Name) -> [DigestAlgorithm: Bytes] {
        guard let text = self[name] else { return [:] }
        return Self.digests(text)
    }

    /// Writes digests into a field, in the order of their algorithms' names. None removes the field.
    public mutating func setDigests(_ digests: [DigestAlgorithm: Bytes], _ name: HTTPField.Name) {
        var dictionary = StructuredField.Dictionary()
        for (algorithm, digest) in digests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            dictionary[algorithm.rawValue] = .item(.byteSequence(digest))
        }
        // An algorithm whose name is no key cannot be written, and no peer could know it.
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
