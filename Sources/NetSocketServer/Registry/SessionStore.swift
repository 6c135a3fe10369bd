#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The sessions of clients that number their messages. A session outlives its connection for a while.
///
/// A session belongs to the user of its connection: another user can't take it over, even with its name.
final class SessionStore: Sendable {
    private struct Session {
        var connection: ServerConnection
        var user: String?
        /// The time at which the session ends unless its client returns; nil while the client is connected.
        var end: Duration?
    }

    private struct State {
        var sessions: [String: Session] = [:]
        /// Connections that have ended but whose commands are still running.
        var lingering: [ObjectIdentifier: ServerConnection] = [:]

        /// Ends the session whose client has been away the longest. Returns false if all clients are connected.
        mutating func makeRoom(_ evicted: inout ServerConnection?) -> Bool {
            let away = sessions.compactMap { name, session in session.end.map { (name, $0) } }
            guard let (name, _) = away.min(by: { $0.1 < $1.1 }) else { return false }
            evicted = sessions.removeValue(forKey: name)?.connection
            return true
        }
    }

    private let clock: NetClock
    private let retention: Duration
    private let maximumCount: Int
    private let state = Mutex(State())

    init(_ clock: NetClock, retention: Duration, maximumCount: Int) {
        self.clock = clock
        self.retention = retention
        self.maximumCount = maximumCount
    }

    var count: Int { state.withLock { $0.sessions.count } }

    private enum Found {
        case none
        case session(ServerConnection)
        case refused(String)
        case full
    }

    /// Resumes the session that a client names, or starts a new one. On the connection's lane.
    func resume(_ resume: WireResume, on connection: ServerConnection) {
        guard connection.session == nil else {
            return connection.close(.protocolError, "a connection can resume only one session")
        }
        let user = connection.identity.user
        var evicted: ServerConnection?
        let found: Found = state.withLock { state in
            let known = state.sessions[resume.session]
            if let known, known.user != user { return .refused("the session belongs to another user") }
            if known == nil, state.sessions.count >= maximumCount, !state.makeRoom(&evicted) {
                return .full
            }
            state.sessions[resume.session] = Session(connection: connection, user: user)
            return known.map { .session($0.connection) } ?? .none
        }
        if let evicted { evicted.lane.run { self.forget(evicted) } }
        switch found {
        case .full: connection.close(.tryAgainLater, "the server has too many sessions")
        case .refused(let reason): connection.close(.policyViolation, reason)
        case .none:
            connection.session = resume.session
            adopt(ConnectionMachine.Session(), resume, connection)
        case .session(let old):
            connection.session = resume.session
            move(from: old, to: connection, resume)
        }
    }

    /// Moves the session's state. Later pushes go to the new connection, which holds them until it has the numbers.
    /// Earlier pushes are on their way to the old lane and are numbered there first.
    private func move(from old: ServerConnection, to new: ServerConnection, _ resume: WireResume) {
        old.lane.run {
            old.perform { machine, effects in machine.giveUpAsking(&effects) }
            new.core.channels.replace(old, by: new, in: old.machine.topics)
            old.lane.run {
                let session = old.machine.takeSession()
                old.successor = ServerConnection.Successor(new)
                old.session = nil
                old.close(.normalClosure, "the session continues on another connection")
                new.lane.run { self.adopt(session, resume, new) }
            }
        }
    }

    private func adopt(
        _ session: ConnectionMachine.Session, _ resume: WireResume, _ connection: ServerConnection
    ) {
        var delivery = session.delivery ?? DeliveryMachine(connection.machine.settings.delivery)
        let (answer, agreement) = delivery.accept(resume, next: connection.core.makeID().description)
        let core = connection.core
        let now = clock.now()
        if !agreement.lost.isEmpty { core.note(.undelivered(agreement.lost.count), connection) }
        connection.perform { machine, effects in
            effects.append(.send(.resumed(answer)))
            effects += agreement.again.map { .send($0) }
            machine.resumed(session, delivery, now: now, &effects) { core.order(of: $0) }
        }
        connection.sayKept()
    }

    /// Hands the session over to the connection's new user.
    func changeUser(of connection: ServerConnection) {
        guard let session = connection.session else { return }
        let user = connection.identity.user
        state.withLock { state in
            if state.sessions[session]?.connection === connection { state.sessions[session]?.user = user }
        }
    }

    /// Marks the session's connection as ended; the session stays for a while.
    func detached(_ connection: ServerConnection) {
        guard let session = connection.session else { return }
        let end = clock.now() + retention
        state.withLock { state in
            if state.sessions[session]?.connection === connection { state.sessions[session]?.end = end }
        }
    }

    /// Ends a session that has too many unacknowledged messages. Its client is notified when it returns.
    func overflowed(_ connection: ServerConnection) {
        guard let session = connection.session else { return }
        state.withLock { state in
            if state.sessions[session]?.connection === connection { state.sessions[session] = nil }
        }
        forget(connection)
        connection.close(.tryAgainLater, "too many messages are not acknowledged")
    }

    /// Ends the sessions whose clients haven't come back.
    func tick(now: Duration) {
        let (ended, lingering) = state.withLock { state in
            let ended = state.sessions.filter { $0.value.end.map { $0 <= now } ?? false }
            for name in ended.keys { state.sessions[name] = nil }
            return (ended.values.map(\.connection), Array(state.lingering.values))
        }
        for connection in ended { connection.lane.run { self.forget(connection) } }
        for connection in lingering {
            connection.lane.run { connection.perform { machine, effects in machine.tick(now: now, &effects) } }
        }
    }

    // MARK: Commands of connections that have ended

    /// Keeps a connection that has ended while its commands are running: their timeouts still apply.
    func lingers(_ connection: ServerConnection) {
        state.withLock { $0.lingering[ObjectIdentifier(connection)] = connection }
    }

    func lingersNoMore(_ connection: ServerConnection) {
        state.withLock { _ = $0.lingering.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Cancels those commands when the server ends.
    func cancelLingering() {
        for connection in state.withLock({ Array($0.lingering.values) }) {
            connection.lane.run {
                connection.perform { machine, effects in machine.cancelWork(&effects) { _ in true } }
            }
        }
    }

    private func forget(_ connection: ServerConnection) {
        connection.session = nil
        var topics: Set<String> = []
        connection.perform { machine, effects in topics = machine.forgetSession(&effects) }
        for topic in topics { connection.leave(topic) }
    }
}
#endif
