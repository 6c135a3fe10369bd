extension NetError {
    /// A setting of a transport that cannot be used: every call on it throws this.
    package static func unusable(_ setting: String, _ message: String) -> NetError {
        NetError(.invalidRequest, phase: .preparing, message: "\(setting): \(message)")
    }
}
