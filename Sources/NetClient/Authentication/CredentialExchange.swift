internal import HTTPTypes
internal import NetCore

/// Sends a request with a credential of one provider, and once more with a newer one if the server rejects it.
struct CredentialExchange: Sendable {
    private let provider: any CredentialProvider
    private let placement: CredentialPlacement
    private let challenges: Set<Int>
    /// The credential of the first attempt.
    private let credential: Credential?
    /// True if the credential never changes, so that the provider needn't be asked again.
    private let isFixed: Bool

    init(_ provider: any CredentialProvider, _ credential: Credential?, _ challenges: Set<Int>) {
        self.provider = provider
        self.credential = credential
        self.challenges = challenges
        placement = provider.placement
        isFixed = provider.unplaced is Credential
    }

    func send(_ request: PreparedRequest, _ context: CallContext, _ next: Next) async throws -> StreamedResponse {
        let (response, sent) = try await send(request, with: credential, context, next)
        let status = response.status.code
        // Most responses have the status 200, which is never a challenge.
        guard status != 200, !isFixed, challenges.contains(status), request.isReplayable,
            let newer = try await provider.refreshed(from: sent, for: request, during: context), newer != sent
        else { return response }
        await response.discardBody()
        var context = context
        try await context.repeatRequest(reason: "status \(status), with a newer credential", cause: .renewal)
        return try await send(request, with: newer, context, next).response
    }

    /// Returns a chain that begins with this exchange, whose errors name the given middleware.
    func before(_ next: Next, _ name: String) -> Next {
        Next { (request, context) async throws(NetError) -> StreamedResponse in
            do {
                return try await send(request, context, next)
            } catch {
                throw context.error(error, by: name)
            }
        }
    }

    /// Sends the request with a credential. Returns the response and the credential of the last attempt.
    ///
    /// Marks a response that belongs to another login than the one that the call began with: the login may have changed
    /// while the call waited.
    private func send(
        _ request: PreparedRequest, with credential: Credential?, _ context: CallContext, _ next: Next
    ) async throws -> (response: StreamedResponse, sent: Credential?) {
        var inner = context
        let later = watch(credential, in: &inner)
        // Requested after the credential, so that a logout in between makes the two differ rather than agree.
        let isExpected = try await provider.isExpected(credential, for: request, in: context)
        var sent = request
        try placement.put(credential, into: &sent, context)
        if let credential { inner = accounting(for: credential, sent, insteadOf: request, inner) }
        var response = try await next(sent, inner)
        if !isExpected || later?.isOfOtherIdentity == true { response.isOfOtherIdentity = true }
        return (response, later.map { $0.credential } ?? credential)
    }

    private func accounting(
        for credential: Credential, _ sent: PreparedRequest, insteadOf request: PreparedRequest, _ context: CallContext
    ) -> CallContext {
        switch placement {
        case .header: return context.accounting(for: credential.line)
        case .cookie:
            // The header also has the request's other cookies, which may be those of a login that nobody has named.
            guard context.tracksIdentity, context.accounts(for: request) else { return context }
            return sent.head.headerFields[fields: .cookie].reduce(context) { $0.accounting(for: $1) }
        case .query, .subprotocol: return context
        }
    }

    /// Makes later attempts ask for the credential again; nil if it never changes.
    private func watch(_ credential: Credential?, in context: inout CallContext) -> SentCredential? {
        guard !isFixed else { return nil }
        let sent = SentCredential(credential, placement, from: provider)
        context.hooks.append(sent)
        return sent
    }
}

extension CredentialProvider {
    /// Returns the credential for a request; the wait doesn't outlast the call.
    func credential(for request: PreparedRequest, during context: CallContext) async throws -> Credential? {
        let provider = unplaced
        if let fixed = provider as? Credential { return fixed }
        // For other providers, the client itself watches over the call.
        guard let tokens = provider as? RefreshingCredentials else { return try await credential(for: request) }
        if let usable = tokens.usable { return usable }
        return try await context.unlessEnded(.middleware) { try await tokens.credential(for: request) }
    }

    /// Returns a newer credential; the wait doesn't outlast the call.
    func refreshed(
        from rejected: Credential?, for request: PreparedRequest, during context: CallContext
    ) async throws -> Credential? {
        guard let tokens = unplaced as? RefreshingCredentials else {
            return try await refreshed(from: rejected, for: request)
        }
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
        return context.includes(try await identity(for: request))
    }
}
