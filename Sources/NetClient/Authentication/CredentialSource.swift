internal import NetCore

/// A provider of credentials, with facts about its kind that are determined once.
struct CredentialSource: Sendable {
    let provider: any CredentialProvider
    let placement: CredentialPlacement
    /// The credential if it never changes, so that the provider needn't be asked.
    private let fixed: Credential?
    /// The provider if it renews its credentials itself.
    private let tokens: RefreshingCredentials?

    init(_ provider: any CredentialProvider) {
        self.provider = provider
        placement = provider.placement
        let inner = provider.unplaced
        fixed = inner as? Credential
        tokens = inner as? RefreshingCredentials
    }

    var isFixed: Bool { fixed != nil }

    /// True if the provider never waits past the end of the call.
    var endsWithCall: Bool { fixed != nil || tokens != nil }

    /// Returns the credential for a request; the wait doesn't outlast the call.
    func credential(for request: PreparedRequest, during context: CallContext) async throws -> Credential? {
        if let fixed { return fixed }
        // For other providers, the client itself monitors the end of the call.
        guard let tokens else { return try await provider.credential(for: request) }
        if let usable = tokens.usable { return usable }
        return try await context.unlessEnded(.middleware) { try await tokens.credential(for: request) }
    }

    /// Returns a newer credential; the wait doesn't outlast the call.
    func refreshed(
        from rejected: Credential?, for request: PreparedRequest, during context: CallContext
    ) async throws -> Credential? {
        guard let tokens else { return try await provider.refreshed(from: rejected, for: request) }
        return try await context.unlessEnded(.middleware) {
            try await tokens.refreshed(from: rejected, for: request)
        }
    }

    /// Returns false if the credential belongs to a login that isn't part of the call's identity.
    func isExpected(
        _ credential: Credential?, for request: PreparedRequest, in context: CallContext
    ) async throws -> Bool {
        guard context.tracksIdentity, request.options.identity == nil, let credential else { return true }
        if context.includes(.holder(of: credential.line)) { return true }
        let login = try await provider.identity(for: request)
        return !login.isOfCredential && context.includes(login)
    }

    /// Returns the login, or the holder of the credential if the provider knows no login.
    func identity(for request: PreparedRequest) async throws -> CallIdentity {
        let login = try await provider.identity(for: request)
        guard login.isOfCredential else { return login }
        return try await provider.credential(for: request).map { .holder(of: $0.line) } ?? .everyone
    }

    /// Returns the login; everyone if the provider knows none.
    func login(for request: PreparedRequest) async throws -> CallIdentity {
        guard fixed == nil else { return .everyone }
        let login = try await provider.identity(for: request)
        return login.isOfCredential ? .everyone : login
    }
}
