/// What one `Strict-Transport-Security` field says (RFC 6797 section 6.1).
package struct StrictTransportSecurity: Sendable, Hashable {
    /// How long the host is known to want https; 0 forgets it.
    package let maximumAge: Int64
    /// Whether that goes for the hosts below it too.
    package let includesSubdomains: Bool

    /// Reads the field; nil where it has no `max-age`, one directive twice, or is malformed elsewhere. Directives that are not
    /// known are passed over.
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
