extension NetError {
    /// Returns the error for an unusable setting of a transport. Every call on that transport throws it.
    package static func unusable(_ setting: String, _ message: String) -> NetError {
        NetError(.invalidRequest, phase: .preparing, message: "\(setting): \(message)")
    }
}
