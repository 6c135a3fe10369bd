internal import HTTPTypes
internal import NetCore

/// What is printed hides secrets; the properties keep them for whoever asks.
extension StubRequest: CustomStringConvertible, CustomReflectable {
    /// One line: method, target, fields, and the beginning of a JSON or form body. Values of fields, query items, members
    /// and form fields that ``RedactionPolicy/safeDefault`` names are hidden; other bodies show only their size.
    public var description: String {
        let headers = Shown.headers(headers).joined(separator: ", ")
        let shown = headers.isEmpty ? "" : " [\(headers)]"
        return "\(line)\(shown), \(Shown.body(self))"
    }

    /// What `dump` and a failing `#expect` show: the same, in parts.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method.rawValue, "target": Shown.target(target), "authority": Shown.authority(authority),
                "headers": Shown.headers(headers), "body": Shown.body(self),
                "parameters": parameters.map { "\($0.key): \(Shown.value($0.value, name: $0.key))" }.sorted(),
            ])
    }

    /// Method and target, secrets hidden.
    var line: String { "\(method.rawValue) \(Shown.target(target))" }
}
