internal import NetCore

/// Finds the values of sensitive fields in forms of several parts.
enum FormRedaction {
    /// Parts of `multipart/form-data` (RFC 7578), also of one that was cut.
    static func edits(inParts bytes: [UInt8], boundary: String, policy: RedactionPolicy) -> [BodyEdit] {
        MultipartPart.parts(in: bytes, boundary: boundary).parts
            .filter { part in part.name.map { policy.isSensitive(formName: $0) } ?? false }
            .map { BodyEdit(range: $0.range, replacement: Array(policy.placeholder.utf8)) }
    }
}
