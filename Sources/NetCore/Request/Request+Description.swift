extension Request: CustomStringConvertible, CustomReflectable {
    /// Method, path and query, or the whole URL, redacted; nothing of fields and body.
    public var description: String { "\(method.rawValue) \(target(nil))" }

    /// No parts: fields and body may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
