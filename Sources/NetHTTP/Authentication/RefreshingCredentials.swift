public import NetCore
internal import Synchronization

/// A credential that is fetched when it is first needed, renewed before it ends and when a server refuses it: once for all
/// calls that wait.
///
/// A refusal renews only the credential that was refused: the answer to a request that was sent with an older one, and that
/// comes late, gets the newer one that is there already. A renewal that fails ends the calls that wait with its error; the
/// next call tries again. It goes on when they are cancelled, so that a refresh token that was used up is not lost.
///
///     let credentials = RefreshingCredentials { old in
///         try .bearer(old == nil ? "first" : "second")
///     }
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://api.example.com", middleware: [AuthMiddleware(credentials)]))
public final class RefreshingCredentials: CredentialProvider {
    /// Fetches a new credential in place of the old one, nil for the first; nil says that there is none.
    public typealias Refresh = @Sendable (_ old: Credential?) async throws -> Credential?

    private struct State {
        var current: Credential?
        var hasLoaded = false
        /// The one that could not be renewed ahead of its end: it is used up to that.
        var isUsedToItsEnd = false
    }

    /// How a renewal is done.
    public struct Configuration: Sendable {
        /// How long before its end a credential is renewed. Default 60 s.
        public var renewsAhead: Duration
        /// How long a renewal may take; then those who wait get `.timeout`. Default 30 s.
        public var timeout: Duration
        /// Where the credential is kept. Default nowhere.
        public var store: (any CredentialStore)?
        /// Keeps other processes out meanwhile. What they have put into the store is taken instead of another renewal.
        /// Default none.
        public var lock: (any RefreshLock)?
        /// Time. Default the system's.
        public var clock: NetClock

        /// The defaults, with the settings that are given.
        public init(
            renewsAhead: Duration = .seconds(60), timeout: Duration = .seconds(30),
            store: (any CredentialStore)? = nil, lock: (any RefreshLock)? = nil, clock: NetClock = .system
        ) {
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
    private let flight = SingleFlight<Credential?>()

    /// Takes the one to begin with, where there is one, and how to get others.
    public init(
        initial: Credential? = nil, configuration: Configuration = Configuration(), refresh: @escaping Refresh
    ) {
        self.configuration = configuration
        self.refresh = refresh
        state = Mutex(State(current: initial, hasLoaded: initial != nil))
    }

    /// The credential that is there now, nil before the first and after ``forget()``.
    public var current: Credential? { state.withLock { $0.current } }

    /// Forgets the credential, in the store too, as a log-out does. The next call fetches another.
    public func forget() async throws {
        state.withLock { $0 = State(hasLoaded: true) }
        try await configuration.store?.save(nil)
    }

    public func credential(for request: PreparedRequest) async throws -> Credential? {
        let (current, isUsedToItsEnd, hasLoaded) = state.withLock { ($0.current, $0.isUsedToItsEnd, $0.hasLoaded) }
        let date = configuration.clock.date()
        if let current {
            let margin = isUsedToItsEnd ? .zero : configuration.renewsAhead
            if !current.expires(within: margin, of: date) { return current }
            let isOver = current.expires(of: date)
            do {
                return try await renewed(from: current)
            } catch  where !isOver && !(error is CancellationError) {
                state.withLock { if $0.current == current { $0.isUsedToItsEnd = true } }
                return current
            }
        }
        return hasLoaded ? try await renewed(from: nil) : try await first()
    }

    public func refreshed(from rejected: Credential?) async throws -> Credential? {
        try await renewed(from: rejected)
    }

    /// What the store has, where that has not ended; else a new one.
    private func first() async throws -> Credential? {
        let date = configuration.clock.date()
        if let store = configuration.store, let stored = try await store.load(), !stored.expires(of: date) {
            return state.withLock { state in
                if state.current == nil { state.current = stored }
                state.hasLoaded = true
                return state.current
            }
        }
        return try await renewed(from: nil)
    }

    /// The one that replaced `old` already, or a new one.
    private func renewed(from old: Credential?) async throws -> Credential? {
        if let newer = newer(than: old) { return newer }
        return try await flight.run { [self] in
            // Somebody's renewal may have ended between the look and the flight.
            if let newer = newer(than: old) { return newer }
            return try await limited {
                guard let lock = self.configuration.lock else { return try await self.renew(old) }
                return try await lock.withLock { try await self.renewUnlessStored(old) }
            }
        }
    }

    private func newer(than old: Credential?) -> Credential? {
        let current = state.withLock { $0.current }
        guard let current, current != old, !current.expires(of: configuration.clock.date()) else { return nil }
        return current
    }

    /// Under the lock of all processes: another one may have been quicker.
    private func renewUnlessStored(_ old: Credential?) async throws -> Credential? {
        if let stored = try await configuration.store?.load(), stored != old,
            !stored.expires(of: configuration.clock.date())
        {
            state.withLock { $0 = State(current: stored, hasLoaded: true) }
            return stored
        }
        return try await renew(old)
    }

    private func renew(_ old: Credential?) async throws -> Credential? {
        let new = try await refresh(old)
        state.withLock { $0 = State(current: new ?? $0.current, hasLoaded: true) }
        if let new { try await configuration.store?.save(new) }
        return new
    }

    private func limited(
        _ body: @escaping @Sendable () async throws -> Credential?
    ) async throws -> Credential? {
        let (clock, limit) = (configuration.clock, configuration.timeout)
        return try await withThrowingTaskGroup(of: Credential?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await clock.sleep(for: limit)
                throw NetError(
                    .timeout, phase: .middleware,
                    message: "the credential was not renewed within \(limit.seconds(places: 3)) s")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
