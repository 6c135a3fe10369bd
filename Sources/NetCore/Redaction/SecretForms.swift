#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The texts in which a secret may appear: as it was sent, and as documents and URLs write it.
enum SecretForms {
    /// Returns the secret, and its escaped forms where they differ: percent-encoded (RFC 3986 section 2.1), as in forms,
    /// in JSON (RFC 8259 section 7) and in XML.
    static func all(of secret: String) -> [String] {
        if secret.utf8.allSatisfy({ PercentEncoding.Allowed.unreserved.contains($0) }) { return [secret] }
        let encoded = PercentEncoding.encode(secret)
        let json = escaped(secret) { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c }
        let forms = [
            secret, encoded, lowercased(escapesOf: encoded), PercentEncoding.formEncode(secret), json,
            json.replacing("/", with: #"\/"#),
            // Encoders for web pages escape markup too, and some escape everything outside ASCII.
            escaped(secret) {
                $0 < 0x20 || $0 >= 0x7f || "\"\\&<>".unicodeScalars.map(\.value).contains($0)
            },
            escaped(secret) {
                $0 < 0x20 || $0 >= 0x7f || "\"\\&<>'=".unicodeScalars.map(\.value).contains($0)
            },
            XMLRedaction.escaped(secret), XMLRedaction.escaped(secret).replacing("&apos;", with: "&#39;"),
        ]
        return forms.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns the secret parts of a header value with credentials (RFC 9110 section 11.4): the whole, the token behind
    /// the scheme, and the password inside `Basic` (RFC 7617). Of parameters, those that aren't known to be public.
    static func parts(ofCredential value: String) -> [String] {
        var parts = [value]
        let words = value.split { $0 == " " || $0 == "," || $0 == ";" }
        let hasScheme = words.count > 1 && value.dropFirst(words[0].count).first == " " && !words[0].contains("=")
        if words.count == 2, words[0].lowercased() == "basic", let both = base64(words[1]) {
            parts.append(both)
            if let colon = both.firstIndex(of: ":") { parts.append(String(both[both.index(after: colon)...])) }
        }
        for word in words.dropFirst(hasScheme ? 1 : 0) {
            guard let equals = word.firstIndex(of: "="), word[equals...].contains(where: { $0 != "=" }) else {
                parts.append(String(word))
                continue
            }
            if publicParameters.contains(word[..<equals].lowercased()) { continue }
            // A signature is a byte sequence between colons (RFC 9421 section 4.2).
            let value = word[word.index(after: equals)...].drop { $0 == "\"" || $0 == ":" }
            parts.append(String(value.prefix { $0 != "\"" && $0 != ":" }))
        }
        return parts
    }

    /// Parameters of Digest (RFC 7616), OAuth 1.0 (RFC 5849) and signatures that a URL or a page may show as well.
    private static let publicParameters: Set<String> = [
        "realm", "uri", "algorithm", "qop", "nc", "opaque", "nonce", "username", "username*", "userhash", "keyid",
        "headers", "signedheaders", "created", "expires", "ext", "ts", "host", "version", "oauth_version",
        "oauth_signature_method", "oauth_timestamp",
    ]

    private static func base64(_ text: Substring) -> String? {
        Data(base64Encoded: String(text)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the text with the chosen characters as JSON escapes.
    private static func escaped(_ text: String, _ isChosen: (UInt32) -> Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard isChosen(scalar.value) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch scalar.value {
            case 0x22: result += "\\\""
            case 0x5c: result += "\\\\"
            case 0x0a: result += "\\n"
            case 0x0d: result += "\\r"
            case 0x09: result += "\\t"
            default: for unit in String(scalar).utf16 { result += "\\u" + UInt32(unit).paddedHexadecimal.suffix(4) }
            }
        }
        return result
    }

    /// Returns percent-encoded text with its escapes in lowercase.
    private static func lowercased(escapesOf text: String) -> String {
        var (result, digits): ([UInt8], Int) = ([], 0)
        for byte in text.utf8 {
            result.append(digits > 0 && (65...90).contains(byte) ? byte | 0x20 : byte)
            digits = byte == UInt8(ascii: "%") ? 2 : max(0, digits - 1)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
