internal import NetCore

/// Finds the values of sensitive fields in form bodies.
enum FormRedaction {
    /// Fields of `application/x-www-form-urlencoded`.
    static func edits(in bytes: [UInt8], policy: RedactionPolicy) -> [BodyEdit] {
        var edits: [BodyEdit] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
                let name = PercentEncoding.decode(
                    String(decoding: bytes[start..<equals], as: UTF8.self), plusIsSpace: true)
                if isSensitive(name, policy) {
                    let placeholder = Array(PercentEncoding.encode(policy.placeholder).utf8)
                    edits.append(BodyEdit(range: equals + 1..<end, replacement: placeholder))
                }
            }
            start = end + 1
        }
        return edits
    }

    /// Parts of `multipart/form-data` (RFC 7578), also of one that was cut.
    static func edits(inParts bytes: [UInt8], boundary: String, policy: RedactionPolicy) -> [BodyEdit] {
        MultipartPart.parts(in: bytes, boundary: boundary).parts
            .filter { part in part.name.map { isSensitive($0, policy) } ?? false }
            .map { BodyEdit(range: $0.range, replacement: Array(policy.placeholder.utf8)) }
    }

    private static func isSensitive(_ name: String, _ policy: RedactionPolicy) -> Bool {
        policy.isSensitive(bodyName: name) || policy.queryNames.contains(name.lowercased())
    }
}
