#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The members of one channel on this server.
///
/// Deliveries are handed to the lanes of the members under the channel's lock: all members receive pushes in the same
/// order, and each receives those that come after its join.
final class ServerChannel: Sendable {
    /// The members on one lane: one work item delivers to all of them.
    struct Group: Sendable {
        let lane: any Lane
        var members: [ServerConnection]
    }

    /// A connection that is joining. Pushes that arrive meanwhile are held for it.
    struct Joiner: Sendable {
        let connection: ServerConnection
        let number: UInt64
        /// The era of the connection in which it asked to join.
        let era: Int
        var held: [WirePush] = []
    }

    struct State {
        var groups: [Group] = []
        /// The index of each member in the group of its lane.
        var places: [ObjectIdentifier: Int] = [:]
        var joiners: [Joiner] = []
        var rules = ChannelRules()
        var presence = PresenceState()
        /// True if the channel has had visible members: clients that join again may know some who have left.
        var hasHadPresence = false
        /// The connections that are visible in the channel's presence.
        var shown: [ObjectIdentifier: PresenceMember] = [:]
        /// The connections that have become visible in the engine, or are about to, and aren't shown yet.
        var entering: [ObjectIdentifier: (number: UInt64, member: PresenceMember)] = [:]
        var count = 0
        var lastJoiner: UInt64 = 0
        /// True once the registry has removed the channel: it accepts no more joins.
        var isClosed = false
        /// True once the engine delivers the topic and has reported its members.
        var isSubscribed = false
        /// With an interval: the earliest time of the next push, and the push that waits for it.
        var nextPush: Duration?
        var waiting: FanOutMessage?
        /// The lanes that received work under the lock and have to be started after it.
        var unstarted: [any Lane] = []

        var isEmpty: Bool { count == 0 && joiners.isEmpty }
        var members: [ServerConnection] { groups.flatMap(\.members) }
    }

    /// The most pushes that are held for one connection while it joins.
    static let maximumHeld = 1000

    let topic: String
    /// The name of this server.
    let node: String
    private let metrics: SocketServerMetrics
    let state = Mutex(State())

    init(_ topic: String, node: String, _ metrics: SocketServerMetrics) {
        self.topic = topic
        self.node = node
        self.metrics = metrics
    }

    /// The lanes of its members.
    var lanes: [any Lane] { state.withLock { $0.groups.map(\.lane) } }

    /// Changes the state, and then starts the lanes that received work.
    func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, lanes) = state.withLock { state -> (Value, [any Lane]) in
            let value = body(&state)
            defer { if !state.unstarted.isEmpty { state.unstarted = [] } }
            return (value, state.unstarted)
        }
        for lane in lanes { lane.start() }
        return value
    }

    func run(_ lane: any Lane, _ state: inout State, _ work: @escaping @Sendable () -> Void) {
        lane.add(work)
        if lane.needsStart { state.unstarted.append(lane) }
    }

    // MARK: Delivering

    /// Delivers a push to all members, or keeps it until the interval ends. Returns the end of the interval if no
    /// timer is scheduled for it yet.
    func deliver(_ message: FanOutMessage, now: Duration) -> Duration? {
        change { state in
            guard let interval = state.rules.interval else {
                send(message, &state)
                return nil
            }
            if let next = state.nextPush, now < next {
                if state.waiting != nil { metrics.pushesDropped(state.count, .replaced) }
                state.waiting = message
                return nil
            }
            state.nextPush = now + interval
            send(message, &state)
            return state.nextPush
        }
    }

    /// Ends the interval. Returns the end of the next one if one has started.
    func intervalEnded(now: Duration) -> Duration? {
        change { state in
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
        // The rules of the first member aren't known while it joins.
        hold(push, &state)
        // If pushes are skipped, or none are kept, positions would have gaps that can't be filled.
        let isNumbered = state.rules.isPositioned
        if !isNumbered { push.offset = nil }
        let shared = SharedPush(push)
        let skipped = isNumbered ? push : nil
        metrics.pushesDelivered(state.count)
        for group in state.groups {
            let members = group.members
            run(group.lane, &state) {
                guard let except = message.except else {
                    for member in members { member.receive(shared) }
                    return
                }
                for member in members where member.id.description != except { member.receive(shared) }
                // The position also advances for the connection that sent the push.
                guard let skipped else { return }
                for member in members where member.id.description == except { member.skip(skipped) }
            }
        }
    }

    /// Holds a push for the connections that are joining. Those that take too long are closed.
    func hold(_ push: WirePush, _ state: inout State) {
        guard !state.joiners.isEmpty else { return }
        for index in state.joiners.indices { state.joiners[index].held.append(push) }
        let late = state.joiners.filter { $0.held.count > Self.maximumHeld }.map(\.connection)
        guard !late.isEmpty else { return }
        state.joiners.removeAll { $0.held.count > Self.maximumHeld }
        for connection in late {
            run(connection.lane, &state) { connection.close(.tryAgainLater, "too much was pushed during a join") }
        }
    }

    // MARK: Members

    /// Begins a join; nil if the channel is closed.
    func beginJoin(_ connection: ServerConnection, _ era: Int) -> UInt64? {
        change { state in
            guard !state.isClosed else { return nil }
            state.lastJoiner += 1
            state.joiners.append(Joiner(connection: connection, number: state.lastJoiner, era: era))
            return state.lastJoiner
        }
    }

    /// Notes that a joining connection is about to become visible.
    func beginEntering(_ number: UInt64, of connection: ServerConnection, as member: PresenceMember) {
        change { $0.entering[ObjectIdentifier(connection)] = (number, member) }
    }

    /// Ends a join that failed.
    func giveUpJoin(_ number: UInt64, of connection: ServerConnection) {
        change { state in
            state.endEntering(number, of: connection)
            state.joiners.removeAll { $0.number == number }
        }
    }

    /// The presence entry of a connection, or the one that it is getting.
    func presence(of connection: ServerConnection) -> PresenceMember? {
        state.withLock { $0.shown[ObjectIdentifier(connection)] ?? $0.entering[ObjectIdentifier(connection)]?.member }
    }

    /// Ends a join: the connection becomes a member and is notified before any later push. Returns false if the join
    /// took so long that it was given up, or if the connection has another user by now.
    ///
    /// - Parameters:
    ///   - member: Its presence entry; nil if it isn't shown.
    ///   - complete: Makes the work that notifies the connection, given the pushes that were held and the presence
    ///     state.
    func endJoin(
        _ number: UInt64, _ rules: ChannelRules, _ member: PresenceMember?,
        _ complete: (_ held: [WirePush], _ presence: WirePush?) -> @Sendable () -> Void
    ) -> Bool {
        change { state in
            guard let index = state.joiners.firstIndex(where: { $0.number == number }) else { return false }
            let joiner = state.joiners.remove(at: index)
            guard joiner.connection.era == joiner.era else { return false }
            state.rules = rules
            if let member { show(state.presence.enter(member), &state) }
            add(joiner.connection, &state)
            if let member {
                state.shown[ObjectIdentifier(joiner.connection)] = member
                state.endEntering(number, of: joiner.connection)
            }
            if member != nil || state.presence.count > 0 { state.hasHadPresence = true }
            let presence =
                state.hasHadPresence
                ? WirePush(event: "presence_state", payload: state.presence.payload, topic: topic) : nil
            let held = rules.isPositioned ? joiner.held : joiner.held.map(Self.withoutPosition)
            run(joiner.connection.lane, &state, complete(held, presence))
            return true
        }
    }

    private static func withoutPosition(_ push: WirePush) -> WirePush {
        guard push.event != WirePush.gap else { return ChannelGap.push(in: push.topic ?? "", nil) }
        var push = push
        push.offset = nil
        return push
    }

    private func add(_ connection: ServerConnection, _ state: inout State) {
        guard state.places[ObjectIdentifier(connection)] == nil else { return }
        state.count += 1
        if let index = state.groups.firstIndex(where: { $0.lane === connection.lane }) {
            state.places[ObjectIdentifier(connection)] = state.groups[index].members.count
            state.groups[index].members.append(connection)
        } else {
            state.places[ObjectIdentifier(connection)] = 0
            state.groups.append(Group(lane: connection.lane, members: [connection]))
        }
    }

    /// Removes a member and returns its presence entry. Returns nil if it wasn't a member.
    func remove(_ connection: ServerConnection) -> (member: PresenceMember?, Void)? {
        change { state in
            guard Self.remove(connection, &state) else { return nil }
            let member = state.shown.removeValue(forKey: ObjectIdentifier(connection))
            if let member { show(state.presence.leave(member), &state) }
            return (member, ())
        }
    }

    private static func remove(_ connection: ServerConnection, _ state: inout State) -> Bool {
        guard let place = state.places.removeValue(forKey: ObjectIdentifier(connection)),
            let group = state.groups.firstIndex(where: { $0.lane === connection.lane }),
            let last = state.groups[group].members.popLast()
        else { return false }
        // The last member takes the free slot: no others move.
        if last !== connection {
            state.groups[group].members[place] = last
            state.places[ObjectIdentifier(last)] = place
        }
        if state.groups[group].members.isEmpty { state.groups.remove(at: group) }
        state.count -= 1
        return true
    }

    /// Replaces a connection with the one that has taken over its session.
    func replace(_ old: ServerConnection, by new: ServerConnection) {
        change { state in
            guard Self.remove(old, &state) else { return }
            add(new, &state)
            state.shown[ObjectIdentifier(new)] = state.shown.removeValue(forKey: ObjectIdentifier(old))
        }
    }

    /// Closes the channel if it has neither members nor joins. Returns false otherwise.
    func closeIfEmpty() -> Bool {
        change { state in
            if state.isEmpty { state.isClosed = true }
            return state.isEmpty
        }
    }
}
#endif
