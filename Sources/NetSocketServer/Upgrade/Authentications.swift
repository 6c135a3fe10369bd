#if Server
internal import Synchronization

/// Runs the closures that authenticate clients, each in a task of the server. A handshake doesn't wait for a closure
/// that ignores its cancellation, but the closure keeps its place until it returns.
final class Authentications: Sendable {
    typealias ID = AuthenticationRoster.ID
    typealias Outcome = Result<Admission, SocketRefusal>

    /// A handshake that waits for its outcome.
    struct Handshake: Sendable {
        var place: HandshakePlace
        /// Called once.
        var end: @Sendable (Outcome) -> Void
    }

    private struct State {
        var roster: AuthenticationRoster
        var handshakes: [ID: Handshake] = [:]
        var tasks: [ID: ServerTasks.ID] = [:]
    }

    private let tasks: ServerTasks
    private let state: Mutex<State>

    init(maximumCount: Int?, tasks: ServerTasks) {
        self.tasks = tasks
        state = Mutex(State(roster: AuthenticationRoster(maximumCount: maximumCount)))
    }

    /// The number of closures that haven't returned.
    var count: Int { state.withLock { $0.roster.count } }
    /// The number of closures that haven't returned, by path.
    var paths: [String: Int] { state.withLock { $0.roster.paths } }

    /// Takes a place for a handshake; nil if there is none.
    func enter(_ handshake: Handshake, until deadline: Duration) -> ID? {
        state.withLock { state in
            let id = state.roster.enter(path: handshake.place.path, until: deadline)
            if let id { state.handshakes[id] = handshake }
            return id
        }
    }

    /// Runs a closure, unless its handshake was abandoned. The task inherits the caller's task-local values.
    ///
    /// - Parameter unwanted: Called after the closure if its outcome isn't needed.
    func start(
        _ id: ID, _ body: @escaping @Sendable () async -> Outcome, unwanted: @escaping @Sendable () -> Void
    ) {
        let isStarted = state.withLock { state in
            guard state.roster.isWanted(id) else {
                state.roster.leave(id)
                return false
            }
            state.tasks[id] = tasks.start {
                let outcome = await body()
                if !self.ended(id, outcome) { unwanted() }
            }
            return true
        }
        if !isStarted { unwanted() }
    }

    /// Ends a handshake with the outcome of its closure. Returns false if the handshake was abandoned.
    @discardableResult
    func ended(_ id: ID, _ outcome: Outcome) -> Bool {
        let handshake = state.withLock { state in
            state.roster.leave(id)
            state.tasks[id] = nil
            return state.handshakes.removeValue(forKey: id)
        }
        handshake?.end(outcome)
        return handshake != nil
    }

    /// Refuses a handshake that still waits, and cancels its closure.
    func abandon(_ id: ID, with refusal: (HandshakePlace) -> SocketRefusal) {
        let (handshake, task) = state.withLock { state -> (Handshake?, ServerTasks.ID?) in
            guard state.roster.abandon(id) else { return (nil, nil) }
            return (state.handshakes.removeValue(forKey: id), state.tasks[id])
        }
        if let task { tasks.cancel(task) }
        if let handshake { handshake.end(.failure(refusal(handshake.place))) }
    }

    /// Refuses the handshakes that have exceeded their time limit.
    func tick(now: Duration, with refusal: (HandshakePlace) -> SocketRefusal) {
        for id in state.withLock({ $0.roster.overdue(at: now) }) { abandon(id, with: refusal) }
    }

    /// Refuses all handshakes that wait.
    func abandonAll(with refusal: (HandshakePlace) -> SocketRefusal) {
        for id in state.withLock({ $0.roster.wanted }) { abandon(id, with: refusal) }
    }
}
#endif
