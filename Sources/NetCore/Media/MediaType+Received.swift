extension MediaType {
    /// Reads the type that a peer sent as browsers do (WHATWG MIME Sniffing section 4.4): a parameter that is malformed is
    /// passed over, and a value without quotes goes up to the semicolon, as a boundary with `=` in it does. Blanks around
    /// `=` are passed over too. Nil where there is no type.
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
    /// What `Content-Type` says, read as browsers do; nil where it is absent or no type. Of several fields the last that is a
    /// type counts (RFC 9110 section 8.3).
    var receivedType: MediaType? {
        guard let text = self[.contentType] else { return nil }
        guard text.utf8.contains(UInt8(ascii: ",")) else { return .received(text) }
        return fields[values: .contentType].reversed().lazy.compactMap(MediaType.received).first
    }

    /// The name of the charset that `Content-Type` tells; nil for none. Some servers write it in single quotes.
    var receivedCharset: String? {
        guard let name = receivedType?["charset"] else { return nil }
        return name.count > 2 && name.first == "'" && name.last == "'" ? String(name.dropFirst().dropLast()) : name
    }
}
