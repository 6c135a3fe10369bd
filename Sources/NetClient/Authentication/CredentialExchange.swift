internal import HTTPTypes
internal import NetCore

/// Sends a request with a credential of one provider, and once more with a newer one if the server rejects it.
struct CredentialExchange: Sendable {
    let source: CredentialSource
    /// The credential of the first attempt.
    let credential: Credential?
    let challenges: Set<Int>

    func send(_ request: PreparedRequest, _ context: CallContext, _ next: Next) async throws -> StreamedResponse {
        let (response, sent) = try await send(request, with: credential, context, next)
        let status = response.status.code
        // Most responses have the status 200, which is never a challenge.
        guard status != 200, !source.isFixed, challenges.contains(status), request.isReplayable,
            let newer = try await source.refreshed(from: sent, for: request, during: context), newer != sent
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
    /// Marks a response that belongs to a different login than the one that the call began with: the login may have
    /// changed while the call waited.
    private func send(
        _ request: PreparedRequest, with credential: Credential?, _ context: CallContext, _ next: Next
    ) async throws -> (response: StreamedResponse, sent: Credential?) {
        var inner = context
        let later = watch(credential, in: &inner)
        // Requested after the credential, so that a logout in between makes the two differ rather than agree.
        let isExpected = try await source.isExpected(credential, for: request, in: context)
        var sent = request
        try source.placement.put(credential, into: &sent, context)
        if let credential { inner = accounting(for: credential, sent, insteadOf: request, inner) }
        var response = try await next(sent, inner)
        if !isExpected { response.difference = .login }
        return (response, later.map { $0.credential } ?? credential)
    }

    private func accounting(
        for credential: Credential, _ sent: PreparedRequest, insteadOf request: PreparedRequest, _ context: CallContext
    ) -> CallContext {
        switch source.placement {
        case .header: return context.accounting(for: credential.line)
        case .cookie:
            // The header also has the request's other cookies, which may belong to a login that isn't known here.
            guard context.tracksIdentity, context.difference(of: request) == nil else { return context }
            return sent.head.headerFields[fields: .cookie].reduce(context) { $0.accounting(for: $1) }
        case .query: return context.accounting(forURLOf: sent, insteadOf: request)
        case .subprotocol: return context
        }
    }

    /// Makes later attempts ask for the credential again; nil if it never changes.
    private func watch(_ credential: Credential?, in context: inout CallContext) -> SentCredential? {
        guard !source.isFixed else { return nil }
        let sent = SentCredential(credential, from: source)
        context.hooks.append(sent)
        return sent
    }
}
