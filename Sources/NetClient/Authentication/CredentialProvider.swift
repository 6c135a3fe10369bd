public import NetCore

/// Knows what to send with a request, and how to get something newer when a server does not take it.
///
///     struct Static: CredentialProvider {
///         let token: String
///         func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer(token) }
///     }
public protocol CredentialProvider: Sendable {
    /// The credential for a request; nil sends it without. Asked for each attempt.
    func credential(for request: PreparedRequest) async throws -> Credential?
    /// A newer one in place of `rejected`, which a server has not taken; nil when there is none, and then the server's
    /// answer is the call's. `rejected` is nil where the request went without. Default nil.
    func refreshed(from rejected: Credential?) async throws -> Credential?
    /// The login whose credential a request gets, which outlives the renewal of its token; asked for only where responses are
    /// kept or shared. Default: the holder of what ``credential(for:)`` returns, which is a different one for each token.
    func identity(for request: PreparedRequest) async throws -> CallIdentity
}

extension CredentialProvider {
    public func refreshed(from rejected: Credential?) async throws -> Credential? { nil }

    public func identity(for request: PreparedRequest) async throws -> CallIdentity {
        try await credential(for: request).map { .holder(of: $0.line) } ?? .everyone
    }
}

/// Where credentials live between two runs of a program: a keychain, a file, a database.
public protocol CredentialStore: Sendable {
    /// What was saved last; nil for nothing.
    func load() async throws -> Credential?
    /// Saves a new one; nil forgets the last.
    func save(_ credential: Credential?) async throws
}

/// Keeps two processes with one store from refreshing at once, which would make the first one's refresh token useless.
public protocol RefreshLock: Sendable {
    /// Takes the lock, runs `body`, gives it back, whatever happens. Waiting ends with the task.
    func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
}
