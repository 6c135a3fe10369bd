extension Request: CustomStringConvertible, CustomReflectable {
    /// Method, path and query, or the whole URL, redacted; nothing of fields and body.
    public var description: String {
        var target = options.absoluteURL ?? path.encoded
        let items = query.encodedQuery
        if !items.isEmpty { target += (target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + items }
        return "\(method.rawValue) \((options.redaction ?? .safeDefault).redact(url: target))"
    }

    /// No parts: fields and body may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
