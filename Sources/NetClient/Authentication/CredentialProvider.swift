public import NetCore

/// Provides the credentials of requests, and newer ones when a server rejects them. ``AuthMiddleware`` uses it.
///
///     struct Static: CredentialProvider {
///         let token: String
///         func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer(token) }
///     }
///
/// A ``NetCore/Credential`` is also a provider, which always returns itself.
public protocol CredentialProvider: Sendable {
    /// Returns the credential for a request; nil to send the request without one. Called for each attempt.
    ///
    /// A thrown error ends the call. Cancelling the call cancels the task that waits for the credential.
    func credential(for request: PreparedRequest) async throws -> Credential?
    /// Returns a newer credential after a server has rejected one; nil if there is none, in which case the call returns
    /// the rejecting response. The default implementation returns nil.
    ///
    /// - Parameters:
    ///   - rejected: The rejected credential; nil if the request was sent without one.
    ///   - request: The request that was rejected, before it got its credential.
    func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential?
    /// The earlier form of ``refreshed(from:for:)``, which calls this one if a provider has only this one.
    @available(*, deprecated, message: "implement refreshed(from:for:), which also gets the request")
    func refreshed(from rejected: Credential?) async throws -> Credential?
    /// Returns the login whose credential a request gets. The login must stay the same when a token is renewed, and
    /// become a different one when another user logs in: a call whose login has changed before an attempt ends with
    /// `.authentication`, and a cache keeps the responses of different logins apart. Asked often, so it must not fetch a
    /// credential.
    ///
    /// The default implementation returns ``NetCore/CallIdentity/ofCredential``: each credential counts as another
    /// login, and a call goes on with the credential that the provider has at the time.
    func identity(for request: PreparedRequest) async throws -> CallIdentity
    /// The part of a request that carries the credentials. Default ``CredentialPlacement/header``;
    /// ``CredentialProvider/placed(_:)`` changes it.
    var placement: CredentialPlacement { get }
}

extension CredentialProvider {
    public var placement: CredentialPlacement { .header }

    public func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
        let renewal: any PlainRenewal = EarlierRenewal(provider: self)
        return try await renewal.newer(than: rejected)
    }

    public func refreshed(from rejected: Credential?) async throws -> Credential? { nil }

    public func identity(for request: PreparedRequest) async throws -> CallIdentity { .ofCredential }
}

/// A renewal without the request.
private protocol PlainRenewal {
    func newer(than rejected: Credential?) async throws -> Credential?
}

/// Calls the deprecated form. Through the protocol, so that only providers that still implement it are warned.
private struct EarlierRenewal<Provider: CredentialProvider>: PlainRenewal {
    let provider: Provider

    @available(*, deprecated)
    func newer(than rejected: Credential?) async throws -> Credential? {
        try await provider.refreshed(from: rejected)
    }
}

extension Credential: CredentialProvider {
    /// Returns this credential.
    public func credential(for request: PreparedRequest) async throws -> Credential? { self }
}

/// Storage for credentials between two runs of a program: a keychain, a file, or a database.
public protocol CredentialStore: Sendable {
    /// Returns the credential that was saved last; nil if there is none.
    func load() async throws -> Credential?
    /// Saves a credential in place of the last one; nil removes the last one.
    func save(_ credential: Credential?) async throws
}

/// A lock between processes that share a store. Without it, two processes may refresh concurrently, which invalidates
/// the refresh token of the first one.
public protocol RefreshLock: Sendable {
    /// Runs `body` while holding the lock, and releases the lock even if `body` throws. Waiting must end when the task
    /// is cancelled.
    func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
}
