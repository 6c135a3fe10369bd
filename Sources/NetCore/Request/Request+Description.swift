extension Request: CustomStringConvertible, CustomReflectable {
    /// The method, path and query, or the whole URL, redacted. Omits headers and body.
    public var description: String { "\(method.rawValue) \(target(nil))" }

    /// No children, since headers and body may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
