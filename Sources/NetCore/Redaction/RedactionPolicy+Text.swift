extension RedactionPolicy {
    /// Returns the text without its secrets: if it is JSON, those under sensitive names; if it is a URL (absolute, or
    /// starting with a slash or question mark), those of its parts; in any text, those that are known or recognized by
    /// their value. Nil if it has none.
    func redactedText(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let redacted: String
        if Self.mayBeJSON(bytes) {
            let edits = edits(in: bytes, contentType: "application/json")
            if edits.isEmpty { return nil }
            redacted = String(decoding: edits.applied(to: bytes), as: UTF8.self)
        } else {
            // Prose that contains a URL isn't a URL itself, and would lose more than its secrets.
            let reference = URLReference(text)
            let isWhole = reference.scheme != nil && reference.authority != nil
            let isRelative = bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "?")
            if isWhole || isRelative, bytes.allSatisfy({ $0 > 32 }) {
                redacted = redact(url: text)
            } else {
                redacted = hidingValues(in: text)
            }
        }
        return redacted == text ? nil : redacted
    }

    /// Returns the edits that hide the secrets of a form (URL-encoded or multipart), of XML, or of any text that
    /// contains JSON, and in any bytes those that are known or recognized by their value.
    package func edits(in bytes: [UInt8], contentType: String?) -> [BodyEdit] {
        guard self != .disabled else { return [] }
        let known = values.secrets?.current
        return namedEdits(in: bytes, contentType: contentType)
            .joined(with: bytes.withUnsafeBytes { valueEdits(in: $0, known) })
    }

    /// Returns the edits that hide values under sensitive names.
    func namedEdits(in bytes: [UInt8], contentType: String?) -> [BodyEdit] {
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        if type == "application/x-www-form-urlencoded" { return FormRedaction.edits(in: bytes, policy: self) }
        if let boundary = MultipartPart.boundary(of: contentType ?? "") {
            return MultipartRedaction.edits(inParts: bytes, boundary: boundary, policy: self)
        }
        if XMLRedaction.mayBeXML(bytes) { return XMLRedaction.edits(in: bytes, policy: self) }
        // JSON also appears under other media types and in streams; without members, the search finds nothing.
        return JSONRedaction.edits(in: bytes, policy: self)
    }

    /// Returns the edits that hide known and recognized values, in order.
    private func valueEdits(in bytes: UnsafeRawBufferPointer, _ known: KnownSecrets?) -> [BodyEdit] {
        var edits = known?.edits(in: bytes, by: self) ?? []
        guard hidesRecognizedValues else { return edits }
        for range in SecretScan.ranges(in: bytes) {
            edits.append(BodyEdit(range: range, replacement: hidden(Array(bytes[range]))))
        }
        return edits.withoutOverlaps
    }

    /// Returns the edits that hide known and recognized values in bytes that need not be text.
    func valueEdits(in bytes: [UInt8]) -> [BodyEdit] {
        self == .disabled ? [] : bytes.withUnsafeBytes { valueEdits(in: $0, values.secrets?.current) }
    }

    /// Returns the text without values that are known to the call, or that show by themselves that they are secrets.
    package func hidingValues(in text: String) -> String {
        self == .disabled ? text : hidingValues(in: text, values.secrets?.current)
    }

    /// Returns the text without such values in its first bytes. Reads no more of a long text than that requires.
    func hidingValues(in text: String, upToBytes limit: Int) -> String {
        // Beyond the limit, so that a value isn't cut there: longer than most secrets.
        let margin = 4096
        var window = limit
        while window < text.utf8.count - margin {
            window = max(window, margin) * 2
            let searched = text.prefix(upToBytes: window)
            let hidden = hidingValues(in: searched)
            if hidden.utf8.count >= limit + margin {
                let rest = text[text.utf8.index(text.startIndex, offsetBy: searched.utf8.count)...]
                return hidden + rest
            }
        }
        return hidingValues(in: text)
    }

    func hidingValues(in text: String, _ known: KnownSecrets?) -> String {
        guard text.utf8.count >= KnownSecrets.shortest, known != nil || hidesRecognizedValues else { return text }
        var text = text
        let edits = text.withUTF8 { valueEdits(in: UnsafeRawBufferPointer($0), known) }
        return edits.isEmpty ? text : String(decoding: edits.applied(to: Array(text.utf8)), as: UTF8.self)
    }

    /// Returns the number of bytes at the end of truncated bytes that are the beginning of a known secret.
    func beginningOfSecret(atEndOf bytes: [UInt8], _ known: KnownSecrets?) -> Int {
        guard let known = known ?? values.secrets?.current else { return 0 }
        return bytes.withUnsafeBytes { known.beginning(atEndOf: $0) }
    }
}
