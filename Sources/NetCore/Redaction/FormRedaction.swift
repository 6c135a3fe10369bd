/// Finds the values of sensitive fields in bodies of `application/x-www-form-urlencoded`.
enum FormRedaction {
    static func edits(in bytes: [UInt8], policy: RedactionPolicy) -> [BodyEdit] {
        var edits: [BodyEdit] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
                let name = PercentEncoding.decode(
                    String(decoding: bytes[start..<equals], as: UTF8.self), plusIsSpace: true)
                let value = String(decoding: bytes[(equals + 1)..<end], as: UTF8.self)
                if policy.isSensitive(formName: name) {
                    let hidden = policy.hidden(PercentEncoding.decode(value, plusIsSpace: true))
                    edits.append(
                        BodyEdit(range: equals + 1..<end, replacement: Array(PercentEncoding.encode(hidden).utf8)))
                } else if let redacted = policy.redactedText(PercentEncoding.decode(value, plusIsSpace: true)) {
                    let replacement = Array(PercentEncoding.encode(redacted).utf8)
                    edits.append(BodyEdit(range: equals + 1..<end, replacement: replacement))
                }
            }
            start = end + 1
        }
        return edits
    }
}

extension RedactionPolicy {
    /// Returns a value that is JSON or a URL (absolute, or starting with a slash or question mark) without its
    /// secrets. Nil if it is neither or has no secrets.
    func redactedText(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let redacted: String
        if Self.mayBeJSON(bytes) {
            let edits = JSONRedaction.edits(in: bytes, policy: self)
            if edits.isEmpty { return nil }
            redacted = String(decoding: edits.applied(to: bytes), as: UTF8.self)
        } else {
            // Prose that contains a URL isn't a URL itself, and would lose more than its secrets.
            let reference = URLReference(text)
            let isWhole = reference.scheme != nil && reference.authority != nil
            let isRelative = bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "?")
            guard isWhole || isRelative, bytes.allSatisfy({ $0 > 32 }) else { return nil }
            redacted = redact(url: text)
        }
        return redacted == text ? nil : redacted
    }

    /// Returns the edits that hide the secrets of a form (URL-encoded or multipart), of XML, or of any text that
    /// contains JSON.
    package func edits(in bytes: [UInt8], contentType: String?) -> [BodyEdit] {
        guard self != .disabled else { return [] }
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        if type == "application/x-www-form-urlencoded" { return FormRedaction.edits(in: bytes, policy: self) }
        if let boundary = MultipartPart.boundary(of: contentType ?? "") {
            return MultipartRedaction.edits(inParts: bytes, boundary: boundary, policy: self)
        }
        if XMLRedaction.mayBeXML(bytes) { return XMLRedaction.edits(in: bytes, policy: self) }
        // JSON also appears under other media types and in streams; without members, the search finds nothing.
        return JSONRedaction.edits(in: bytes, policy: self)
    }
}
