public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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
        /// How long before its end the current one is renewed; zero where that failed: it is used up to its end.
        var margin = Duration.zero
        /// How often everything was forgotten: what began before brings nothing back.
        var generation = 0
        /// The login that the credentials belong to.
        var login: CallIdentity

        mutating func take(_ credential: Credential?, ahead: Duration, date: Date) {
            (current, hasLoaded) = (credential, true)
            // One of a short life would be renewed for each call.
            let left = credential?.expiration.map { $0.timeIntervalSince(date) / 2 } ?? .infinity
            margin = left < ahead.inSeconds ? .seconds(max(0, left)) : ahead
        }
    }

    /// What came of a renewal, and what was forgotten when it began.
    private struct Renewal: Sendable {
        let credential: Credential?
        let generation: Int
    }

    /// How a renewal is done.
    public struct Configuration: Sendable {
        /// How long before its end a credential is renewed; one that has less than twice that left when it comes, when half of
        /// it is over. Default 60 s.
        public var renewsAhead: Duration
        /// How long a renewal may take; then those who wait get `.timeout`. Default 30 s.
        public var timeout: Duration
        /// Where the credential is kept. Default nowhere.
        public var store: (any CredentialStore)?
        /// Keeps other processes out meanwhile. What they have put into the store is taken instead of another renewal.
        /// Default none.
        public var lock: (any RefreshLock)?
        /// The app's name for the login whose credentials these are, until ``RefreshingCredentials/forget(next:)``: caches
        /// keep its responses on disk under a keyed hash of it. Default nil: an identity of its own, which lives in this
        /// process.
        public var identity: String?
        /// Time. Default the system's.
        public var clock: NetClock

        /// The defaults, with the settings that are given.
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

    /// Takes the one to begin with, where there is one, and how to get others.
    public init(
        initial: Credential? = nil, configuration: Configuration = Configuration(), refresh: @escaping Refresh
    ) {
        self.configuration = configuration
        self.refresh = refresh
        var state = State(login: configuration.identity.map { .named($0) } ?? .unique())
        if let initial { state.take(initial, ahead: configuration.renewsAhead, date: configuration.clock.date()) }
        self.state = Mutex(state)
    }

    /// The credential that is there now, nil before the first and after ``forget()``.
    public var current: Credential? { state.withLock { $0.current } }

    /// Forgets the credential, in the store too, as a log-out does. The next call fetches another, which is one of another
    /// login: it gets no response that was cached or is shared for this one. What a renewal under way brings is dropped.
    ///
    /// - Parameter identity: The app's name for the next login, as ``Configuration/identity`` is for the first. Default nil.
    public func forget(next identity: String? = nil) async throws {
        let login = identity.map { CallIdentity.named($0) } ?? .unique()
        state.withLock { $0 = State(hasLoaded: true, generation: $0.generation + 1, login: login) }
        try await configuration.store?.save(nil)
    }

    /// The login, which a renewal doesn't change. Asks for no credential.
    public func identity(for request: PreparedRequest) async throws -> CallIdentity { state.withLock { $0.login } }

    /// The current credential, if it needs no renewal.
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

    public func refreshed(from rejected: Credential?) async throws -> Credential? {
        try await renewed(from: rejected)
    }

    /// What the store has, or a new one in its place where that has ended.
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

    /// The one that replaced `old` already, or a new one.
    private func renewed(from old: Credential?) async throws -> Credential? {
        let generation = state.withLock { $0.generation }
        while true {
            if let newer = newer(than: old) { return newer }
            let renewal = try await flight.run { [self] in
                // Somebody's renewal may have ended between the look and the flight.
                if let newer = newer(than: old) { return Renewal(credential: newer, generation: .max) }
                let (base, begun) = newest(or: old)
                let credential = try await limited {
                    guard let lock = self.configuration.lock else { return try await self.renew(base, begun) }
                    return try await lock.withLock { try await self.renewUnlessStored(base, begun) }
                }
                return Renewal(credential: credential, generation: begun)
            }
            // One that began before all was forgotten is no answer to a call that came after.
            if renewal.generation >= generation { return renewal.credential }
        }
    }

    private func newer(than old: Credential?) -> Credential? {
        let current = state.withLock { $0.current }
        guard let current, current != old, !current.expires(of: configuration.clock.date()) else { return nil }
        return current
    }

    /// What a renewal begins with: a refusal may come late, and be of one whose refresh token is used up, or forgotten.
    private func newest(or old: Credential?) -> (Credential?, generation: Int) {
        state.withLock { ($0.hasLoaded ? $0.current : $0.current ?? old, $0.generation) }
    }

    /// Under the lock of all processes: another one may have been quicker.
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
        // It was forgotten while it was saved.
        try await configuration.store?.save(nil)
        return nil
    }

    /// False where something else happened meanwhile: all was forgotten, or one that came too late for its time-out finds
    /// another in its place.
    private func take(_ new: Credential, inPlaceOf old: Credential?, _ generation: Int) -> Bool {
        let date = configuration.clock.date()
        return state.withLock { state in
            guard state.generation == generation, state.current == nil || state.current == old else { return false }
            state.take(new, ahead: configuration.renewsAhead, date: date)
            return true
        }
    }

    /// Waits for `body` no longer than it may take, also where that hears of no cancellation.
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
        // It ends without one only for a task that was cancelled.
        throw CancellationError()
    }
}

extension RefreshingCredentials: CustomReflectable {
    /// Without parts.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RefreshingCredentials.Configuration: CustomReflectable {
    /// Without the store and the lock.
    public var customMirror: Mirror {
        Mirror(self, children: ["renewsAhead": renewsAhead, "timeout": timeout], displayStyle: .struct)
    }
}
