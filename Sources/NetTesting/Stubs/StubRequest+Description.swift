internal import HTTPTypes
internal import NetCore

/// The printed form hides secrets; the properties keep them.
extension StubRequest: CustomStringConvertible, CustomReflectable {
    /// One line: method, target, header fields, and the beginning of a JSON or form body. The values of header fields,
    /// query items, members and form fields that ``RedactionPolicy/safeDefault`` names are hidden; for other bodies,
    /// only the size is shown.
    public var description: String {
        let headers = Shown.headers(headers).joined(separator: ", ")
        let shown = headers.isEmpty ? "" : " [\(headers)]"
        return "\(line)\(shown), \(Shown.body(self))"
    }

    /// The value as shown by `dump` and by a failing `#expect`, in parts.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method.rawValue, "target": Shown.target(target), "authority": Shown.authority(authority),
                "headers": Shown.headers(headers), "body": Shown.body(self),
                "parameters": parameters.map { "\($0.key): \(Shown.value($0.value, name: $0.key))" }.sorted(),
            ])
    }

    /// Method and target, with secrets hidden.
    var line: String { "\(method.rawValue) \(Shown.target(target))" }
}
