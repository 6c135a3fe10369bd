/// The identity that a transport's connections have on their own: the server knows the user from the connection, not
/// from the request. It exists only in this process, and each transport has its own.
package struct ConnectionIdentity: IdentitySource {
    /// The requests whose connections identify a user.
    package enum Scope: Sendable {
        /// Those with TLS, because of a client certificate; and those to some origins, because of a Kerberos ticket.
        case connections(certificate: Bool, negotiate: Set<String>)
        /// All requests: the transport adds its own headers to them.
        case everywhere
    }

    private let scope: Scope
    private let login = CallIdentity.unique()

    /// Creates the identity of a client certificate and of the origins that get a Kerberos ticket; nil without either.
    package init?(certificate: Bool, negotiateOrigins: [String] = []) {
        // An entry that isn't a URL fails every call.
        let origins = negotiateOrigins.compactMap { try? BaseURL($0).origin }
        guard certificate || !origins.isEmpty else { return nil }
        scope = .connections(certificate: certificate, negotiate: Set(origins))
    }

    package init(_ scope: Scope) { self.scope = scope }

    package func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        switch scope {
        case .everywhere: login
        case .connections(let certificate, let origins):
            certificate && request.head.scheme?.lowercased() == "https" || origins.contains(request.origin)
                ? login : .everyone
        }
    }
}
