#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
/// Extracts the public key of a certificate, of which a pin is the hash (RFC 7469 section 2.4).
enum PublicKeyInfo {
    private static let sequence: UInt8 = 0x30
    private static let version: UInt8 = 0xA0

    /// The whole SubjectPublicKeyInfo of a certificate in DER (RFC 5280 section 4.1); nil if it isn't a certificate.
    static func der(ofCertificate bytes: [UInt8]) -> [UInt8]? {
        guard let certificate = element(bytes[...]), certificate.tag == sequence,
            let body = element(certificate.content), body.tag == sequence
        else { return nil }
        var rest = body.content
        if rest.first == version {
            guard let version = element(rest) else { return nil }
            rest = version.rest
        }
        // Serial number, signature algorithm, issuer, validity, subject.
        for _ in 0..<5 {
            guard let next = element(rest) else { return nil }
            rest = next.rest
        }
        guard let key = element(rest), key.tag == sequence else { return nil }
        return Array(rest[..<key.content.endIndex])
    }

    /// Returns the first element and the bytes after it (X.690 section 8.1).
    private static func element(
        _ bytes: ArraySlice<UInt8>
    ) -> (tag: UInt8, content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        var rest = bytes
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...3).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard length <= rest.count else { return nil }
        return (tag, rest.prefix(length), rest.dropFirst(length))
    }
}
#endif
