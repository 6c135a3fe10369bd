#if Server
/// The identity of a connection's client.
struct Identity: Sendable {
    var principal: any Sendable
    /// The name of the user, which groups all of the user's connections; nil for no user.
    var user: String?
    /// The lifetime of the credentials; nil if unlimited.
    var lifetime: Duration?

    /// True if two identities are of the same user. Identities without the name of a user only are if their principals
    /// are equal.
    func isSameUser(as other: Identity) -> Bool {
        if user != nil || other.user != nil { return user == other.user }
        if principal is Void, other.principal is Void { return true }
        guard let principal = principal as? any Equatable else { return false }
        return Self.isEqual(principal, other.principal)
    }

    private static func isEqual<Value: Equatable>(_ value: Value, _ other: any Sendable) -> Bool {
        other as? Value == value
    }
}

extension SocketIdentity {
    var erased: Identity { Identity(principal: principal, user: user, lifetime: expiresIn) }
}
#endif
