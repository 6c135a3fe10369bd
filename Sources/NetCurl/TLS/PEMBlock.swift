#if os(Linux)
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An encoded object of a PEM text (RFC 7468): its label, and whether its contents are plausible.
struct PEMBlock: Sendable, Hashable {
    /// The label, such as `CERTIFICATE` or `PRIVATE KEY`.
    var label: String
    /// True if a pass phrase is needed.
    var isEncrypted: Bool
    /// True if the contents are base64 of one complete DER object, as far as that can be checked without its key.
    var isWhole: Bool

    /// The expected content of a text.
    enum Content: Sendable { case certificates, privateKey }

    /// Returns the objects of a text in order; skips text outside of them (RFC 7468 section 2).
    static func all(in text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var label: String?
        var body = ""
        var isEncrypted = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if let name = name(line, after: "-----BEGIN ") {
                (label, body) = (name, "")
                isEncrypted = name.hasPrefix("ENCRYPTED")
            } else if let name = name(line, after: "-----END "), let begun = label {
                let isWhole =
                    name == begun && holdsObject(body, isEncrypted: isEncrypted && begun != "ENCRYPTED PRIVATE KEY")
                blocks.append(PEMBlock(label: begun, isEncrypted: isEncrypted, isWhole: isWhole))
                label = nil
            } else if label != nil {
                // Lines with a colon are headers of the older encryption format (RFC 1421 section 4.6).
                if line.contains(":") {
                    if line.contains("ENCRYPTED") { isEncrypted = true }
                } else {
                    body += line
                }
            }
        }
        return blocks
    }

    /// Returns a description of the problem of a text that should have this content; nil if there isn't one.
    static func problem(in text: String, expecting content: Content, hasPassPhrase: Bool = false) -> String? {
        let blocks = all(in: text)
        switch content {
        case .certificates:
            let certificates = blocks.filter { $0.label.hasSuffix("CERTIFICATE") }
            if certificates.isEmpty { return "has no certificate: no lines from BEGIN CERTIFICATE to END CERTIFICATE" }
            if let index = certificates.firstIndex(where: { !$0.isWhole }) {
                return "has a damaged certificate, number \(index + 1); copy it again"
            }
        case .privateKey:
            guard let key = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
                return "has no private key: no lines from BEGIN PRIVATE KEY to END PRIVATE KEY"
            }
            if key.isEncrypted && !hasPassPhrase { return "has an encrypted private key; give its pass phrase" }
            if !key.isWhole { return "has a damaged private key; copy it again" }
        }
        return nil
    }

    private static func name(_ line: Substring, after prefix: String) -> String? {
        guard line.hasPrefix(prefix), line.hasSuffix("-----") else { return nil }
        return String(line.dropFirst(prefix.count).dropLast(5))
    }

    /// True if the text is base64 of one DER SEQUENCE that ends with the last byte. The older encryption format hides
    /// the latter.
    private static func holdsObject(_ body: String, isEncrypted: Bool) -> Bool {
        guard let data = Data(base64Encoded: body), data.count >= 2 else { return false }
        if isEncrypted { return true }
        let bytes = [UInt8](data)
        guard bytes[0] == 0x30 else { return false }
        if bytes[1] < 0x80 { return bytes.count == 2 + Int(bytes[1]) }
        let size = Int(bytes[1] & 0x7f)
        guard (1...4).contains(size), bytes.count > 2 + size else { return false }
        return bytes.count == 2 + size + bytes[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line
        while line.last?.isWhitespace == true { line.removeLast() }
        return line.drop(while: \.isWhitespace)
    }
}
#endif
