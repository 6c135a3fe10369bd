#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The contents of one `Set-Cookie` header, before checking whether it is allowed (RFC 6265bis section 5.6).
package struct SetCookie: Sendable, Hashable {
    /// The maximum length of name and value together, in bytes.
    package static let maximumPairBytes = 4096
    /// The maximum length of an attribute's value in bytes; an attribute with a longer value is skipped.
    package static let maximumAttributeBytes = 1024

    package var name = ""
    package var value = ""
    package var expires: Date?
    /// The lifetime in seconds; zero or less expires the cookie.
    package var maxAge: Int64?
    /// The domain in lowercase, without a leading dot. Both nil and empty mean that the cookie is only for the host.
    package var domain: String?
    /// The path; nil if there is no such attribute, empty if its value isn't a path.
    package var path: String?
    package var isSecure = false
    package var isHTTPOnly = false
    package var sameSite: Cookie.SameSite?

    /// Parses a header value; nil if it doesn't set a cookie.
    package init?(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// Parses a header value; nil if it doesn't set a cookie, or if the cookie couldn't be sent back as received: it
    /// isn't UTF-8, or it has no name and an equals sign in its value, which would be read as a name.
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

    /// Returns true for control characters other than a tab.
    static func isForbidden(_ byte: UInt8) -> Bool { byte < 32 && byte != 9 || byte == 127 }

    /// Returns true if the value of a cookie without a name would be read as the name and value of another one.
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

    /// Splits at the first `=` and trims blanks. Without `=`, the whole text is the value, or the name if `loneIsName`
    /// is true.
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

    /// Returns the number of seconds, which is at least one digit after an optional minus sign (section 5.6.2); nil for
    /// anything else. Numbers that are too large become the maximum, and negative ones -1.
    private static func seconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes.dropFirst() : bytes
        guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        if isNegative { return -1 }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
