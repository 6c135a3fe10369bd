extension Charset {
    /// Creates the charset of a content type, or UTF-8 if it names none. Throws `.encoding` for an unknown charset.
    private init(ofContentType text: String) throws(NetError) {
        guard let name = MediaType(text)?["charset"] else {
            self = .utf8
            return
        }
        guard let charset = Charset(name: name) else {
            throw NetError(
                .encoding, phase: .preparing,
                message: "the charset \"\(name)\" of the content type is not known; use UTF-8, or send bytes")
        }
        self = charset
    }

    /// Returns the bytes of a text in the charset of its content type, or in UTF-8 if it names none.
    ///
    /// Throws `.encoding` for an unknown charset, and for a character that the charset lacks.
    static func encode(_ text: String, contentType: String?) throws(NetError) -> Bytes {
        guard let contentType, mayName(contentType) else { return Bytes(text.utf8) }
        return try Charset(ofContentType: contentType).bytes(of: text)
    }

    /// Returns the bytes of a text; throws `.encoding` for a character that this charset lacks.
    func bytes(of text: String) throws(NetError) -> Bytes {
        if let bytes = encode(text) { return bytes }
        throw NetError(
            .encoding, phase: .preparing, message: "the text has a character that \(name) lacks; use UTF-8")
    }

    /// Returns JSON in the charset of its content type; `json` is UTF-8.
    ///
    /// UTF-16 and UTF-32 are written as such. For any other charset, non-ASCII characters become escapes such as
    /// `\u00e9`, which read the same in that charset and in UTF-8 (RFC 8259 section 8.1).
    package static func encode(json: Bytes, contentType: String?) throws(NetError) -> Bytes {
        guard let contentType, mayName(contentType) else { return json }
        let charset = try Charset(ofContentType: contentType)
        switch charset.kind {
        case .utf8: return json
        case .wide: return try charset.bytes(of: String(decoding: json, as: UTF8.self))
        case .ascii, .latin1, .windows1252:
            guard json.contains(where: { $0 > 127 }) else { return json }
            return escaped(json)
        }
    }

    /// Returns the JSON with escape sequences for non-ASCII characters, which occur only within strings.
    private static func escaped(_ json: Bytes) -> Bytes {
        var output: [UInt8] = []
        output.reserveCapacity(json.count * 2)
        for unit in String(decoding: json, as: UTF8.self).utf16 {
            if unit < 128 {
                output.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16)
                output += "\\u".utf8
                output += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                output += digits.utf8
            }
        }
        return Bytes(output)
    }

    /// Returns true if a content type has parameters. Most have none and needn't be parsed.
    private static func mayName(_ contentType: String) -> Bool {
        contentType.utf8.contains(UInt8(ascii: ";")) && contentType != "text/plain; charset=utf-8"
    }
}
