internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// The credential of one call. Each attempt after the first asks the provider again. So does the first attempt if the
/// credential has expired in the meantime: a pause, a queue or a middleware may have taken longer than its lifetime.
final class SentCredential: AttemptHook {
    private let source: CredentialSource
    /// The credential that the request carries whenever it is sent again; nil for none.
    private let first: Credential?

    private struct State {
        var credential: Credential?
        var isSent = false
        var difference: IdentityDifference?
    }

    private let state: Mutex<State>

    init(_ credential: Credential?, from source: CredentialSource) {
        self.source = source
        first = credential
        state = Mutex(State(credential: credential))
    }

    /// The credential that was sent last; nil if the provider no longer had one.
    var credential: Credential? { state.withLock { $0.credential } }

    /// The login, if one of the credentials belongs to a different one than the call began with.
    var difference: IdentityDifference? { state.withLock { $0.difference } }

    func willSend(_ request: inout PreparedRequest, _ context: CallContext) async throws(NetError) {
        // A credential that another middleware has replaced in the meantime stays unchanged.
        guard source.placement.holds(first, request) else { return }
        var (current, isRepetition) = state.withLock { state in
            defer { state.isSent = true }
            return (state.credential, state.isSent)
        }
        if isRepetition || current?.expires(of: context.environment.clock.date()) == true {
            try await context.checkLogin(sending: request)
            let (newer, isExpected) = try await renewed(for: request, context)
            state.withLock { state in
                state.credential = newer
                if !isExpected { state.difference = .login }
            }
            current = newer
        }
        guard current != first else { return }
        try source.placement.put(current, insteadOf: first, into: &request, context)
    }

    func didReceive(_ head: ResponseHead, to request: PreparedRequest, _ context: CallContext) {}

    private func renewed(
        for request: PreparedRequest, _ context: CallContext
    ) async throws(NetError) -> (Credential?, isExpected: Bool) {
        do {
            let credential = try await source.credential(for: request, during: context)
            return (credential, try await source.isExpected(credential, for: request, in: context))
        } catch {
            throw context.error(error, by: "AuthMiddleware")
        }
    }
}
