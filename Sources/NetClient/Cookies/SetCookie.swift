#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What one `Set-Cookie` field says, before it is asked whether it may (RFC 6265bis section 5.6).
package struct SetCookie: Sendable, Hashable {
    /// The most bytes of name and value together.
    package static let maximumPairBytes = 4096
    /// The longest value of an attribute; a longer one is passed over.
    package static let maximumAttributeBytes = 1024

    package var name = ""
    package var value = ""
    package var expires: Date?
    /// Seconds; zero and less ends the cookie.
    package var maxAge: Int64?
    /// Lower-cased, without a leading dot; nil and empty mean the host alone.
    package var domain: String?
    /// Nil where there was none; empty where there was one that is no path.
    package var path: String?
    package var isSecure = false
    package var isHTTPOnly = false
    package var sameSite: Cookie.SameSite?

    /// Reads a field's value; nil where it sets nothing.
    package init?(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// Reads a field's value; nil where it sets nothing, and where it could not go back as it came: it is no UTF-8, or has no
    /// name and an equals sign in its value, which would go out as a name.
    package init?(bytes: [UInt8]) {
        guard !bytes.contains(where: Self.isForbidden) else { return nil }
        var parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst() else { return nil }
        let (name, value) = Self.pair(pair)
        guard !(name ?? []).isEmpty || !value.isEmpty, (name?.count ?? 0) + value.count <= Self.maximumPairBytes,
            let nameText = String(validating: name ?? [], as: UTF8.self),
            let valueText = String(validating: value, as: UTF8.self),
            !Self.isReadAsName(valueText, name: nameText)
        else { return nil }
        self.name = nameText
        self.value = valueText
        for part in parts { take(part) }
    }

    /// Control characters other than a tab.
    static func isForbidden(_ byte: UInt8) -> Bool { byte < 32 && byte != 9 || byte == 127 }

    /// Whether the value of a cookie without a name would be taken for the name and value of another.
    static func isReadAsName(_ value: String, name: String) -> Bool {
        name.isEmpty && value.utf8.contains(UInt8(ascii: "="))
    }

    private mutating func take(_ attribute: ArraySlice<UInt8>) {
        let (name, value) = Self.pair(attribute, loneIsName: true)
        guard value.count <= Self.maximumAttributeBytes else { return }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: name ?? [], as: UTF8.self).lowercased() {
        case "expires": if let date = CookieDate.date(from: value) { expires = date }
        case "max-age": if let seconds = Self.seconds(value) { maxAge = seconds }
        case "domain":
            domain = String(decoding: value.first == UInt8(ascii: ".") ? value.dropFirst() : value, as: UTF8.self)
                .lowercased()
        case "path": path = value.first == UInt8(ascii: "/") ? text : ""
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite(rawValue: text.lowercased())
        default: break
        }
    }

    /// The parts on both sides of the first `=`, without blanks around them; without one, it is the value, or the name.
    private static func pair(
        _ bytes: ArraySlice<UInt8>, loneIsName: Bool = false
    ) -> (name: ArraySlice<UInt8>?, value: ArraySlice<UInt8>) {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            return loneIsName ? (trimmed(bytes), []) : (nil, trimmed(bytes))
        }
        return (trimmed(bytes[..<equals]), trimmed(bytes[(equals + 1)...]))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0 == 32 || $0 == 9 }
        while let last = bytes.last, last == 32 || last == 9 { bytes.removeLast() }
        return bytes
    }

    /// At least one digit, with a minus before them or not (section 5.6.2); nil for anything else. A number that is too large
    /// is the largest.
    private static func seconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes.dropFirst() : bytes
        guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        if isNegative { return -1 }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
