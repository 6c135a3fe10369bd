extension PreparedRequest {
    /// How a cURL command is laid out.
    public enum CurlStyle: Sendable, Hashable {
        /// One option a line.
        case multiline
        /// One line.
        case compact
    }

    /// The request as a `curl` command for a POSIX shell, redacted.
    ///
    /// A body that is text is written out; another becomes `--data-binary @body.bin`. Hidden values are replaced, so a
    /// command with credentials must have them put back before it runs.
    ///
    /// - Parameter redaction: What to hide; nil takes the request's own rules, else ``RedactionPolicy/safeDefault``.
    public func curl(_ style: CurlStyle = .multiline, redaction: RedactionPolicy? = nil) -> String {
        let policy = redaction ?? options.redaction ?? .safeDefault
        var parts = ["curl"]
        switch head.method {
        case .get where bodyLength == 0: break
        case .head: parts.append("-I")
        default: parts.append("-X \(Self.quote(head.method.rawValue))")
        }
        for field in policy.redact(head.headerFields) {
            let line = field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
            parts.append("-H \(Self.quote(line))")
        }
        switch body {
        case .none: break
        case .stream: parts.append("--data-binary @body.bin")
        case .bytes(let bytes):
            if bytes.isEmpty { break }
            if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) {
                parts.append("--data-raw \(Self.quote(text))")
            } else {
                parts.append("--data-binary @body.bin")
            }
        }
        parts.append(Self.quote(policy.redact(url: url)))
        return parts.joined(separator: style == .multiline ? " \\\n  " : " ")
    }

    private static func quote(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
