#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation

/// Reads the certificates of a PEM text (RFC 7468).
enum PEMCertificates {
    /// Returns each certificate in DER, in order; omits those that can't be decoded.
    static func der(in text: String) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var lines: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN CERTIFICATE-----") {
                lines = []
            } else if line.hasPrefix("-----END CERTIFICATE-----") {
                let data = lines.flatMap { Data(base64Encoded: $0.joined(), options: .ignoreUnknownCharacters) }
                if let data, !data.isEmpty { found.append([UInt8](data)) }
                lines = nil
            } else {
                lines?.append(line)
            }
        }
        return found
    }
}
#endif
