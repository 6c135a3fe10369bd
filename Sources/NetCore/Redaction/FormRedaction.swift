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
                let decoded = PercentEncoding.decode(value, plusIsSpace: true)
                if policy.isSensitive(formName: name), !policy.isCount(decoded, named: name) {
                    let hidden = policy.hidden(decoded)
                    edits.append(
                        BodyEdit(range: equals + 1..<end, replacement: Array(PercentEncoding.encode(hidden).utf8)))
                } else if let redacted = policy.redactedText(decoded) {
                    let replacement = Array(PercentEncoding.encode(redacted).utf8)
                    edits.append(BodyEdit(range: equals + 1..<end, replacement: replacement))
                }
            }
            start = end + 1
        }
        return edits
    }
}
