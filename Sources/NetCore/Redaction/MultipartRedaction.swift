/// Finds the values of sensitive fields in multipart forms.
enum MultipartRedaction {
    /// Returns the edits for `multipart/form-data` (RFC 7578), which may be truncated.
    static func edits(inParts bytes: [UInt8], boundary: String, policy: RedactionPolicy) -> [BodyEdit] {
        MultipartPart.parts(in: bytes, boundary: boundary).parts.flatMap { part -> [BodyEdit] in
            if part.name.map({ policy.isSensitive(formName: $0) }) ?? false {
                return [BodyEdit(range: part.range, replacement: policy.hidden(bytes[part.range]))]
            }
            // A file may hold anything; parts whose type is JSON, XML or a form are searched.
            let type = part.headers[.contentType]
            guard type.map(isReadable) ?? (part.filename == nil) else { return [] }
            return policy.namedEdits(in: Array(bytes[part.range]), contentType: type).map { edit in
                let start = part.range.lowerBound
                return BodyEdit(
                    range: start + edit.range.lowerBound..<start + edit.range.upperBound, replacement: edit.replacement)
            }
        }
    }

    private static func isReadable(_ type: String) -> Bool {
        guard let type = MediaType.received(type) else { return false }
        return type.isJSON || type.subtype == "xml" || type.subtype.hasSuffix("+xml")
            || type.essence == "application/x-www-form-urlencoded"
    }
}
