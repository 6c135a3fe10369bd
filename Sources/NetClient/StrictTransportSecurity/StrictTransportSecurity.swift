/// The contents of one `Strict-Transport-Security` header (RFC 6797 section 6.1).
package struct StrictTransportSecurity: Sendable, Hashable {
    /// The time in seconds for which the host requires https; 0 removes the host.
    package let maximumAge: Int64
    /// True if its subdomains also require https.
    package let includesSubdomains: Bool

    /// Parses the header; nil if it lacks `max-age`, has a directive twice, or is otherwise malformed. Unknown
    /// directives are skipped.
    package init?(_ text: String) {
        var reader = FieldValueReader(text)
        var values: [String: String] = [:]
        repeat {
            reader.skipBlanks()
            guard let name = reader.token()?.lowercased() else { continue }
            reader.skipBlanks()
            var value = ""
            if reader.skip("=") {
                reader.skipBlanks()
                guard let found = reader.quotedString() ?? reader.token() else { return nil }
                value = found
                reader.skipBlanks()
            }
            guard values.updateValue(value, forKey: name) == nil else { return nil }
        } while reader.skip(";")
        guard reader.isAtEnd, let age = values["max-age"], !age.isEmpty,
            age.utf8.allSatisfy({ (48...57).contains($0) }), values["includesubdomains"] ?? "" == ""
        else { return nil }
        maximumAge = Int64(age) ?? .max
        includesSubdomains = values["includesubdomains"] != nil
    }
}
