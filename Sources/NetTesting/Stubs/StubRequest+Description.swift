internal import HTTPTypes
internal import NetCore

/// The printed form hides secrets; the properties keep them.
extension StubRequest: CustomStringConvertible, CustomReflectable {
    /// One line: method, target, header fields, and the beginning of a JSON or form body. The values of header fields,
    /// query items, members and form fields that ``RedactionPolicy/safeDefault`` and the policy of the request name are hidden; for other bodies,
    /// only the size is shown.
    public var description: String {
        let headers = Shown.headers(headers, redaction).joined(separator: ", ")
        let shown = headers.isEmpty ? "" : " [\(headers)]"
        return "\(line)\(shown), \(Shown.body(self))"
    }

    /// The value as shown by `dump` and by a failing `#expect`, in parts.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method.rawValue, "target": redaction.redact(url: target),
                "authority": Shown.authority(authority),
                "headers": Shown.headers(headers, redaction), "body": Shown.body(self),
                "parameters": parameters.map { "\($0.key): \(Shown.value($0.value, name: $0.key))" }.sorted(),
            ])
    }

    /// Method and target, with secrets hidden.
    var line: String { "\(method.rawValue) \(redaction.redact(url: target))" }
}
