#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The members of one channel on this server.
///
/// What is delivered to it is handed to the lanes of its members under its lock: all members receive pushes in one order, and
/// each receives those that come after its join.
final class ServerChannel: Sendable {
    /// The members of one lane: one piece of work delivers to all of them.
    struct Group: Sendable {
        let lane: any Lane
        var members: [ServerConnection]
    }

    /// A connection that is joining. What is delivered meanwhile waits for it.
    struct Joiner: Sendable {
        let connection: ServerConnection
        let number: UInt64
        var held: [WirePush] = []
    }

    struct State: Sendable {
        var groups: [Group] = []
        var joiners: [Joiner] = []
        var rules = ChannelRules()
        var count = 0
        var lastJoiner: UInt64 = 0
        /// Nothing enters any more: the registry has forgotten the channel.
        var isClosed = false
        /// With an interval: when the next push may go out, and the one that waits.
        var nextPush: Duration?
        var waiting: FanOutMessage?

        var isEmpty: Bool { count == 0 && joiners.isEmpty }
        var members: [ServerConnection] { groups.flatMap(\.members) }
    }

    /// The most pushes that are held for one connection while it joins.
    static let maximumHeld = 1000

    let topic: String
    let state = Mutex(State())

    init(_ topic: String) {
        self.topic = topic
    }

    // MARK: Delivering

    /// Delivers a push to all members, or keeps it for the end of the interval. Returns the time of that end if nobody waits
    /// for it yet.
    func deliver(_ message: FanOutMessage, now: Duration) -> Duration? {
        state.withLock { state in
            guard let interval = state.rules.interval else {
                send(message, &state)
                return nil
            }
            if let next = state.nextPush, now < next {
                state.waiting = message
                return nil
            }
            state.nextPush = now + interval
            send(message, &state)
            return state.nextPush
        }
    }

    /// The interval is over. Returns the end of the next one, if one has begun.
    func intervalEnded(now: Duration) -> Duration? {
        state.withLock { state in
            guard let interval = state.rules.interval, let message = state.waiting.take() else {
                state.nextPush = nil
                return nil
            }
            state.nextPush = now + interval
            send(message, &state)
            return state.nextPush
        }
    }

    private func send(_ message: FanOutMessage, _ state: inout State) {
        var push = message.push
        // Where pushes are left out, or none is kept, positions would show holes that nobody can fill.
        let isNumbered = state.rules.history > 0 && state.rules.interval == nil
        if !isNumbered { push.offset = nil }
        for index in state.joiners.indices { state.joiners[index].held.append(push) }
        state.joiners.removeAll { joiner in
            guard joiner.held.count > Self.maximumHeld else { return false }
            joiner.connection.lane.run { joiner.connection.close(.tryAgainLater, "too much was pushed during a join") }
            return true
        }
        let shared = SharedPush(push)
        let skipped = isNumbered ? push : nil
        for group in state.groups {
            let members = group.members
            group.lane.run {
                guard let except = message.except else {
                    for member in members { member.receive(shared) }
                    return
                }
                for member in members where member.id.description != except { member.receive(shared) }
                // The position goes on for the one that has said it.
                guard let skipped else { return }
                for member in members where member.id.description == except { member.skip(skipped) }
            }
        }
    }

    // MARK: Members

    /// Begins a join; nil if the channel is closed.
    func beginJoin(_ connection: ServerConnection) -> UInt64? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastJoiner += 1
            state.joiners.append(Joiner(connection: connection, number: state.lastJoiner))
            return state.lastJoiner
        }
    }

    func giveUpJoin(_ number: UInt64) {
        state.withLock { $0.joiners.removeAll { $0.number == number } }
    }

    /// Ends a join: the connection is a member, and is told so before anything that is pushed from here on.
    ///
    /// - Parameter complete: makes the work that tells it, of the pushes that were held.
    func endJoin(
        _ number: UInt64, _ rules: ChannelRules, _ complete: (_ held: [WirePush]) -> @Sendable () -> Void
    ) {
        state.withLock { state in
            guard let index = state.joiners.firstIndex(where: { $0.number == number }) else { return }
            let joiner = state.joiners.remove(at: index)
            state.rules = rules
            add(joiner.connection, &state)
            joiner.connection.lane.run(complete(joiner.held))
        }
    }

    private func add(_ connection: ServerConnection, _ state: inout State) {
        let index = state.groups.firstIndex { $0.lane === connection.lane }
        if let index, state.groups[index].members.contains(where: { $0 === connection }) { return }
        state.count += 1
        if let index {
            state.groups[index].members.append(connection)
        } else {
            state.groups.append(Group(lane: connection.lane, members: [connection]))
        }
    }

    /// Removes a member. Returns whether it was one.
    func remove(_ connection: ServerConnection) -> Bool {
        state.withLock { Self.remove(connection, &$0) }
    }

    private static func remove(_ connection: ServerConnection, _ state: inout State) -> Bool {
        guard let group = state.groups.firstIndex(where: { $0.lane === connection.lane }),
            let index = state.groups[group].members.firstIndex(where: { $0 === connection })
        else { return false }
        state.groups[group].members.remove(at: index)
        if state.groups[group].members.isEmpty { state.groups.remove(at: group) }
        state.count -= 1
        return true
    }

    /// Puts a connection in the place of another, whose session it has taken over.
    func replace(_ old: ServerConnection, by new: ServerConnection) {
        state.withLock { state in
            if Self.remove(old, &state) { add(new, &state) }
        }
    }

    /// Closes the channel if nobody is in it.
    func closeIfEmpty() -> Bool {
        state.withLock { state in
            if state.isEmpty { state.isClosed = true }
            return state.isEmpty
        }
    }
}
#endif
