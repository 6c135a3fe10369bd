/// Splits `Set-Cookie` headers that Foundation has joined by commas.
///
/// A comma begins a cookie if a name and `=` follow; the one in a date, `Expires=Wed, 21 Oct 2026`, doesn't. A value
/// with a comma followed by a name and `=` is split by mistake.
package enum JoinedCookies {
    /// Returns the cookies in their order, without blanks around them and without empty ones.
    package static func split(_ text: String) -> [String] {
        var cookies: [String] = []
        var rest = text.utf8[...]
        while let end = rest.indices.first(where: { rest[$0] == comma && beginsCookie(rest[rest.index(after: $0)...]) })
        {
            cookies.append(trimmed(rest[..<end]))
            rest = rest[rest.index(after: end)...]
        }
        cookies.append(trimmed(rest))
        return cookies.filter { !$0.isEmpty }
    }

    private static let comma = UInt8(ascii: ",")

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 }
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns true if the bytes begin with a token (RFC 9110 section 5.6.2) and `=`, after blanks.
    private static func beginsCookie(_ bytes: Substring.UTF8View) -> Bool {
        let bytes = bytes.drop { $0 == 32 || $0 == 9 }
        let name = bytes.prefix(while: isTokenByte)
        return !name.isEmpty && name.endIndex < bytes.endIndex && bytes[name.endIndex] == UInt8(ascii: "=")
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
