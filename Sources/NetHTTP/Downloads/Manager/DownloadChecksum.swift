package import NetCore

/// The expected digest of a downloaded file.
///
///     var request = DownloadRequest("https://example.com/image.iso")
///     request.checksum = DownloadChecksum("sha-256=2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
public struct DownloadChecksum: Sendable, Hashable {
    /// The algorithm: SHA-256 or SHA-512.
    public let algorithm: DigestAlgorithm
    /// The digest in lowercase hexadecimal.
    public let hexadecimal: String

    /// Parses `sha-256=…` or `sha-512=…`, with or without the hyphen, with the digest in hexadecimal, in base64, or
    /// between colons as in a header; also a bare digest, whose length determines the algorithm. Nil for anything
    /// else.
    public init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1)
        switch parts.first?.lowercased().filter({ $0 != "-" }) {
        case "sha256" where parts.count == 2: self.init(.sha256, String(parts[1]))
        case "sha512" where parts.count == 2: self.init(.sha512, String(parts[1]))
        case _ where text.utf8.count == 64: self.init(.sha256, text)
        case _ where text.utf8.count == 128: self.init(.sha512, text)
        default: return nil
        }
    }

    /// A SHA-256 digest in hexadecimal or base64; nil if the text isn't one.
    public static func sha256(_ digest: String) -> DownloadChecksum? { DownloadChecksum(.sha256, digest) }
    /// A SHA-512 digest in hexadecimal or base64; nil if the text isn't one.
    public static func sha512(_ digest: String) -> DownloadChecksum? { DownloadChecksum(.sha512, digest) }

    private init?(_ algorithm: DigestAlgorithm, _ text: String) {
        var text = text[...]
        if text.count > 2, text.first == ":", text.last == ":" { text = text.dropFirst().dropLast() }
        let bytes = algorithm == .sha256 ? 32 : 64
        if text.utf8.count == bytes * 2, text.utf8.allSatisfy(\.isHexadecimalDigit) {
            hexadecimal = text.lowercased()
        } else if case .success(let digest) = Base64.decode(Array(text.utf8)[...]), digest.count == bytes {
            hexadecimal = digest.hexadecimal
        } else {
            return nil
        }
        self.algorithm = algorithm
    }

    /// Creates a checksum from a computed digest, for comparison.
    package init?(_ algorithm: DigestAlgorithm, digest: Bytes) { self.init(algorithm, digest.hexadecimal) }
}

extension DownloadChecksum: CustomStringConvertible, Codable {
    /// `sha-256=2cf24dba…`
    public var description: String { "\(algorithm.rawValue)=\(hexadecimal)" }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let checksum = DownloadChecksum(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a checksum such as sha-256=<64 hexadecimal digits>")
        }
        self = checksum
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        (48...57).contains(self) || (65...70).contains(self) || (97...102).contains(self)
    }
}
