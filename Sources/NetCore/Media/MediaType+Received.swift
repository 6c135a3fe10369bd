extension MediaType {
    /// Parses a received media type as browsers do (WHATWG MIME Sniffing section 4.4); nil if there is none.
    ///
    /// Malformed parameters are skipped, and so are blanks around `=`. A value without quotes ends at the semicolon,
    /// such as a boundary that contains `=`.
    package static func received(_ text: String) -> MediaType? {
        var reader = FieldValueReader(text)
        guard let type = reader.token(), reader.skip("/"), let subtype = reader.token() else { return nil }
        reader.skipBlanks()
        var parameters: [Parameter] = []
        while reader.skip(";") {
            let name = reader.text(before: ";=").lowercased()
            guard reader.skip("=") else { continue }
            reader.skipBlanks()
            let quoted = reader.quotedString()
            let rest = reader.text(before: ";")
            let value = quoted ?? rest
            guard FieldValueReader.isToken(name), quoted != nil || !value.isEmpty, FieldValueReader.canQuote(value),
                parameters.count < FieldValueReader.maximumParameters, !parameters.contains(where: { $0.name == name })
            else { continue }
            parameters.append(Parameter(name: name, value: value))
        }
        guard reader.isAtEnd else { return nil }
        return MediaType(type.lowercased(), subtype.lowercased(), parameters)
    }
}

extension ResponseHead {
    /// The media type of `Content-Type`, parsed as browsers do; nil if it's absent or invalid. Of several fields, the
    /// last valid one counts (RFC 9110 section 8.3).
    var receivedType: MediaType? {
        guard let text = self[.contentType] else { return nil }
        guard text.utf8.contains(UInt8(ascii: ",")) else { return .received(text) }
        return headers[values: .contentType].reversed().lazy.compactMap(MediaType.received).first
    }

    /// The name of the charset in `Content-Type`, without the single quotes that some servers put around it; nil for
    /// none.
    var receivedCharset: String? {
        guard let name = receivedType?["charset"] else { return nil }
        return name.count > 2 && name.first == "'" && name.last == "'" ? String(name.dropFirst().dropLast()) : name
    }
}
