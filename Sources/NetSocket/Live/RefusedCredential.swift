internal import HTTPTypes
internal import NetClient
internal import NetCore
internal import NetObserve
internal import NetSocketCore
internal import Synchronization

/// A handshake that a server refused with 401.
struct RefusedCredential: Sendable {
    /// Everything in a handshake that can contain a credential.
    struct Credential: Sendable, Hashable {
        private var head: HTTPRequest
        private var subprotocols: [String]

        /// Returns nil for a request that can't be prepared, or whose credential isn't known before the middleware has
        /// run.
        init?(_ request: WebSocketRequest, _ client: WebSocketClient) {
            guard client.core.settings.middleware.allSatisfy(Self.isKnown), request.options.middleware.isEmpty,
                let prepared = try? client.prepare(request)
            else { return nil }
            head = prepared.head
            subprotocols = prepared.options.webSocket?.offeredSubprotocols ?? []
        }

        /// Returns true for middleware that adds no credential, or that has repeated the handshake with a newer one
        /// itself.
        private static func isKnown(_ middleware: any Middleware) -> Bool {
            switch middleware {
            case is AuthMiddleware, is DigestMiddleware, is HeaderMiddleware, is HSTSMiddleware, is LoggingMiddleware,
                is RateLimitMiddleware, is ConcurrencyLimitMiddleware, is TracePropagationMiddleware:
                true
            default: false
            }
        }
    }

    fileprivate var credential: Credential
    fileprivate var error: NetError
}

extension SessionDriver {
    /// Returns the server's refusal if a new credential is needed, and this is the one that was refused: another
    /// handshake with it would be in vain.
    func refusal(of credential: RefusedCredential.Credential?, _ attempt: SocketAttempt) -> NetError? {
        guard attempt.needsNewCredential, let credential else { return nil }
        return state.withLock { state in
            state.refused.flatMap { $0.credential == credential ? $0.error : nil }
        }
    }

    /// Keeps the credential of a handshake that failed with 401.
    func note(_ error: NetError, refusing credential: RefusedCredential.Credential?) {
        let refused = error.status == 401 ? credential.map { RefusedCredential(credential: $0, error: error) } : nil
        state.withLock { $0.refused = refused }
    }
}
