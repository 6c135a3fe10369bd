internal import NetCore

/// The text of a log line with the secrets in URLs and JSON redacted, and with values that show by themselves that they are
/// secrets. Nothing else marks a secret in prose.
struct LogText {
    let text: String

    init(_ text: String, redaction: RedactionPolicy) {
        self.text = Self.mayHoldSecrets(text) ? Self.redacted(text, redaction) : redaction.hidingValues(in: text)
    }

    /// A quick test: most lines contain neither a URL nor JSON.
    private static func mayHoldSecrets(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "?") }
    }

    private static func redacted(_ text: String, _ redaction: RedactionPolicy) -> String {
        let bytes = Array(withoutSecrets(inURLsOf: text, redaction).utf8)
        let edits = redaction.edits(in: bytes, contentType: nil)
        return edits.isEmpty
            ? String(decoding: bytes, as: UTF8.self) : String(decoding: edits.applied(to: bytes), as: UTF8.self)
    }

    /// Redacts URLs. A URL, or a path with a query, ends at a space, a quote or a bracket.
    private static func withoutSecrets(inURLsOf text: String, _ redaction: RedactionPolicy) -> String {
        var result = ""
        var word = Substring.UnicodeScalarView()
        func flush() {
            let candidate = String(word)
            let isURL = candidate.contains("://") || candidate.contains("?") && candidate.contains("=")
            result += isURL ? redaction.redact(url: candidate) : candidate
            word = Substring.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if isEnd(scalar) {
                flush()
                result.unicodeScalars.append(scalar)
            } else {
                word.append(scalar)
            }
        }
        flush()
        return result
    }

    private static func isEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "'", "<", ">", "(", ")", "{", "}", "`": true
        default: scalar.value <= 32
        }
    }
}
