public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A credential that is fetched when it is first needed, and renewed before it expires or when a server rejects it. One
/// renewal serves all waiting calls.
///
/// A rejection renews only the rejected credential: if it arrives late, for a request sent with an older credential,
/// the call gets the newer one that already exists. If a renewal fails, the waiting calls end with its error, and the
/// next call tries again. A renewal continues when the waiting calls are cancelled, so that the replacement of a
/// used-up refresh token isn't lost.
///
///     let credentials = RefreshingCredentials { old in
///         try .bearer(old == nil ? "first" : "second")
///     }
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [AuthMiddleware(credentials)] }
public final class RefreshingCredentials: CredentialProvider {
    /// Fetches a new credential to replace the old one, which is nil for the first fetch. Returns nil if there is no
    /// credential.
    public typealias Refresh = @Sendable (_ old: Credential?) async throws -> Credential?

    private struct State {
        var current: Credential?
        var hasLoaded = false
        /// The time before its expiration at which the current credential is renewed; zero after a failed renewal, so
        /// that the credential is used until it expires.
        var margin = Duration.zero
        /// The number of times that the credential was forgotten; results of renewals that began before are dropped.
        var generation = 0
        /// The login that the credentials belong to.
        var login: CallIdentity

        mutating func take(_ credential: Credential?, ahead: Duration, date: Date) {
            (current, hasLoaded) = (credential, true)
            // A credential with a short lifetime would be renewed for each call.
            let left = credential?.expiration.map { $0.timeIntervalSince(date) / 2 } ?? .infinity
            margin = left < ahead.inSeconds ? .seconds(max(0, left)) : ahead
        }
    }

    /// The result of a renewal, and the generation in which it began.
    private struct Renewal: Sendable {
        let credential: Credential?
        let generation: Int
    }

    /// The settings of renewals.
    public struct Configuration: Sendable {
        /// The time before its expiration at which a credential is renewed. If its remaining time on arrival is less
        /// than twice that, it is renewed after half of the remaining time. Default 60 s.
        public var renewsAhead: Duration
        /// The maximum duration of a renewal; after it, the waiting callers get `.timeout`. Default 30 s.
        public var timeout: Duration
        /// The store that keeps the credential. Default none.
        public var store: (any CredentialStore)?
        /// The lock that keeps other processes from renewing at the same time. A credential that they have put into the
        /// store is used instead of another renewal. Default none.
        public var lock: (any RefreshLock)?
        /// The app's name for the login that owns the credentials, until ``RefreshingCredentials/forget(next:)``:
        /// caches keep its responses on disk under a keyed hash of it. Default nil: a unique identity, which exists
        /// only in this process.
        public var identity: String?
        /// The clock. Default: the system's.
        public var clock: NetClock

        /// Creates a configuration. Omitted settings have their defaults.
        public init(
            renewsAhead: Duration = .seconds(60), timeout: Duration = .seconds(30),
            store: (any CredentialStore)? = nil, lock: (any RefreshLock)? = nil, identity: String? = nil,
            clock: NetClock = .system
        ) {
            self.identity = identity
            self.renewsAhead = renewsAhead
            self.timeout = timeout
            self.store = store
            self.lock = lock
            self.clock = clock
        }
    }

    private let configuration: Configuration
    private let refresh: Refresh
    private let state: Mutex<State>
    private let flight = SingleFlight<Renewal>()

    /// Creates a source of credentials.
    ///
    /// - Parameters:
    ///   - initial: The first credential. Default nil: it is loaded from the store, or fetched, when it is first
    ///     needed.
    ///   - configuration: The settings of renewals.
    ///   - refresh: Fetches a new credential.
    public init(
        initial: Credential? = nil, configuration: Configuration = Configuration(), refresh: @escaping Refresh
    ) {
        self.configuration = configuration
        self.refresh = refresh
        var state = State(login: configuration.identity.map { .named($0) } ?? .unique())
        if let initial { state.take(initial, ahead: configuration.renewsAhead, date: configuration.clock.date()) }
        self.state = Mutex(state)
    }

    /// The current credential; nil before the first one and after ``forget(next:)``.
    public var current: Credential? { state.withLock { $0.current } }

    /// Forgets the credential and removes it from the store, for example at logout.
    ///
    /// The next call fetches another credential, which belongs to another login: it doesn't get responses that were
    /// cached or shared for the previous login. The result of a renewal in progress is dropped.
    ///
    /// - Parameter identity: The app's name for the next login, as ``Configuration/identity`` is for the first. Default
    ///   nil.
    public func forget(next identity: String? = nil) async throws {
        let login = identity.map { CallIdentity.named($0) } ?? .unique()
        state.withLock { $0 = State(hasLoaded: true, generation: $0.generation + 1, login: login) }
        try await configuration.store?.save(nil)
    }

    /// Returns the login, which a renewal doesn't change. Doesn't fetch a credential.
    public func identity(for request: PreparedRequest) async throws -> CallIdentity { state.withLock { $0.login } }

    /// The current credential; nil if there is none, or if it needs to be renewed.
    var usable: Credential? {
        let (current, margin) = state.withLock { ($0.current, $0.margin) }
        guard let current, !current.expires(within: margin, of: configuration.clock.date()) else { return nil }
        return current
    }

    public func credential(for request: PreparedRequest) async throws -> Credential? {
        if let usable { return usable }
        let (current, hasLoaded) = state.withLock { ($0.current, $0.hasLoaded) }
        guard let current else { return hasLoaded ? try await renewed(from: nil) : try await first() }
        let date = configuration.clock.date()
        let isOver = current.expires(of: date)
        do {
            if let newer = try await renewed(from: current) { return newer }
        } catch  where !isOver && !(error is CancellationError) {}
        if isOver { return nil }
        return state.withLock { state in
            if state.current == current { state.margin = .zero }
            return state.current
        }
    }

    public func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
        try await renewed(from: rejected)
    }

    /// Returns the stored credential, or a new one if there is none or it has expired.
    private func first() async throws -> Credential? {
        let generation = state.withLock { $0.generation }
        guard let stored = try await configuration.store?.load() else { return try await renewed(from: nil) }
        let date = configuration.clock.date()
        let current = state.withLock { state in
            if state.current == nil, state.generation == generation {
                state.take(stored, ahead: configuration.renewsAhead, date: date)
            }
            return state.current
        }
        guard let current, !current.expires(of: date) else { return try await renewed(from: current) }
        return current
    }

    /// Returns the credential that has already replaced `old`, or a new one.
    private func renewed(from old: Credential?) async throws -> Credential? {
        let generation = state.withLock { $0.generation }
        while true {
            if let newer = newer(than: old) { return newer }
            let renewal = try await flight.run { [self] in
                // Another caller's renewal may have ended between the check and the flight.
                if let newer = newer(than: old) { return Renewal(credential: newer, generation: .max) }
                let (base, begun) = newest(or: old)
                let credential = try await limited {
                    guard let lock = self.configuration.lock else { return try await self.renew(base, begun) }
                    return try await lock.withLock { try await self.renewUnlessStored(base, begun) }
                }
                return Renewal(credential: credential, generation: begun)
            }
            // If the credential was forgotten after this renewal began, its result isn't valid for a later call.
            if renewal.generation >= generation { return renewal.credential }
        }
    }

    private func newer(than old: Credential?) -> Credential? {
        let current = state.withLock { $0.current }
        guard let current, current != old, !current.expires(of: configuration.clock.date()) else { return nil }
        return current
    }

    /// Returns the credential that a renewal begins with. A late rejection may be for a credential whose refresh token
    /// is used up or forgotten.
    private func newest(or old: Credential?) -> (Credential?, generation: Int) {
        state.withLock { ($0.hasLoaded ? $0.current : $0.current ?? old, $0.generation) }
    }

    /// Renews the credential under the lock of all processes, unless another one was quicker.
    private func renewUnlessStored(_ old: Credential?, _ generation: Int) async throws -> Credential? {
        if let stored = try await configuration.store?.load(), stored != old,
            !stored.expires(of: configuration.clock.date())
        {
            return take(stored, inPlaceOf: old, generation) ? stored : nil
        }
        return try await renew(old, generation)
    }

    private func renew(_ old: Credential?, _ generation: Int) async throws -> Credential? {
        guard let new = try await refresh(old) else {
            state.withLock { if $0.generation == generation { $0.hasLoaded = true } }
            return nil
        }
        guard take(new, inPlaceOf: old, generation) else { return nil }
        try await configuration.store?.save(new)
        guard state.withLock({ $0.generation != generation }) else { return new }
        // The credential was forgotten while it was saved.
        try await configuration.store?.save(nil)
        return nil
    }

    /// Stores a new credential. Returns false if the credential was forgotten in the meantime, or if the renewal
    /// returned after its timeout and another credential has taken its place.
    private func take(_ new: Credential, inPlaceOf old: Credential?, _ generation: Int) -> Bool {
        let date = configuration.clock.date()
        return state.withLock { state in
            guard state.generation == generation, state.current == nil || state.current == old else { return false }
            state.take(new, ahead: configuration.renewsAhead, date: date)
            return true
        }
    }

    /// Waits for `body` no longer than the timeout, even if it ignores cancellation.
    private func limited(
        _ body: @escaping @Sendable () async throws -> Credential?
    ) async throws -> Credential? {
        let (clock, limit) = (configuration.clock, configuration.timeout)
        let (results, result) = AsyncThrowingStream<Credential?, any Error>.makeStream()
        let work = Task {
            do { result.yield(try await body()) } catch { result.finish(throwing: error) }
        }
        let timer = Task {
            try await clock.sleep(for: limit)
            result.finish(
                throwing: NetError(
                    .timeout, phase: .middleware,
                    message: "the credential was not renewed within \(limit.seconds(places: 3)) s"))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for try await credential in results { return credential }
        // The stream ends without a value only if the task was cancelled.
        throw CancellationError()
    }
}

extension RefreshingCredentials: CustomReflectable {
    /// No parts, because the credential is a secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RefreshingCredentials.Configuration: CustomReflectable {
    /// The durations, without the store and the lock.
    public var customMirror: Mirror {
        Mirror(self, children: ["renewsAhead": renewsAhead, "timeout": timeout], displayStyle: .struct)
    }
}
