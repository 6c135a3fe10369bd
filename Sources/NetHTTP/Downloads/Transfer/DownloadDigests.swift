internal import HTTPTypes
internal import NetCore

/// The digests of the whole file in a response: `Repr-Digest` (RFC 9530), and the older `Digest` (RFC 3230).
enum DownloadDigests {
    /// Returns one digest, of the algorithm that is cheapest to compute; empty if the response has no supported
    /// digest.
    static func announced(by head: ResponseHead) -> [DigestAlgorithm: Bytes] {
        for digests in [head[.reprDigest].map(HTTPFields.digests), head[.digest].map(older)] {
            guard let digests else { continue }
            if let digest = digests[.sha256], digest.count == 32 { return [.sha256: digest] }
            if let digest = digests[.sha512], digest.count == 64 { return [.sha512: digest] }
        }
        return [:]
    }

    /// Parses `Digest: sha-256=<base64>,…`. Members of a different form are ignored.
    static func older(_ field: String) -> [DigestAlgorithm: Bytes] {
        var digests: [DigestAlgorithm: Bytes] = [:]
        for member in field.split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2,
                case .success(let digest) = Base64.decode(Array(parts[1].utf8.filter { $0 > 32 })[...])
            else { continue }
            digests[DigestAlgorithm(rawValue: parts[0].filter { $0 != " " && $0 != "\t" }.lowercased())] = Bytes(digest)
        }
        return digests
    }
}

extension HTTPField.Name {
    /// `Digest` (RFC 3230), obsoleted by RFC 9530.
    fileprivate static let digest: HTTPField.Name = "Digest"
}

extension DownloadChecksum {
    /// The digest as bytes.
    var digest: Bytes? {
        let digits = Array(hexadecimal.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count - 1, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return Bytes(bytes)
    }
}
