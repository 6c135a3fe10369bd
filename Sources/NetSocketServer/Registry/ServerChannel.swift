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

    struct State {
        var groups: [Group] = []
        /// The place of each member in the group of its lane.
        var places: [ObjectIdentifier: Int] = [:]
        var joiners: [Joiner] = []
        var rules = ChannelRules()
        var presence = PresenceState()
        /// The connections that are shown.
        var shown: [ObjectIdentifier: PresenceMember] = [:]
        var count = 0
        var lastJoiner: UInt64 = 0
        /// Nothing enters any more: the registry has forgotten the channel.
        var isClosed = false
        /// The engine delivers the topic, and has told who is in it.
        var isSubscribed = false
        /// With an interval: when the next push may go out, and the one that waits.
        var nextPush: Duration?
        var waiting: FanOutMessage?
        /// The lanes that were given work under the lock and have to be started after it.
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

    /// Changes the state, and then starts the work that came of it.
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

    /// Delivers a push to all members, or keeps it for the end of the interval. Returns the time of that end if nobody waits
    /// for it yet.
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

    /// The interval is over. Returns the end of the next one, if one has begun.
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
        // Where pushes are left out, or none is kept, positions would show holes that nobody can fill.
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
                // The position goes on for the one that has said it.
                guard let skipped else { return }
                for member in members where member.id.description == except { member.skip(skipped) }
            }
        }
    }

    /// Keeps a push for those who are joining. Who takes too long is closed.
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
    func beginJoin(_ connection: ServerConnection) -> UInt64? {
        change { state in
            guard !state.isClosed else { return nil }
            state.lastJoiner += 1
            state.joiners.append(Joiner(connection: connection, number: state.lastJoiner))
            return state.lastJoiner
        }
    }

    func giveUpJoin(_ number: UInt64) {
        change { $0.joiners.removeAll { $0.number == number } }
    }

    /// Ends a join: the connection is a member, and is told so before anything that is pushed from here on.
    ///
    /// - Parameters:
    ///   - member: How it is shown to the others; nil if it isn't.
    ///   - complete: makes the work that tells it, of the pushes that were held and of who is here.
    func endJoin(
        _ number: UInt64, _ rules: ChannelRules, _ member: PresenceMember?,
        _ complete: (_ held: [WirePush], _ presence: WirePush?) -> @Sendable () -> Void
    ) {
        change { state in
            guard let index = state.joiners.firstIndex(where: { $0.number == number }) else { return }
            let joiner = state.joiners.remove(at: index)
            state.rules = rules
            if let member { show(state.presence.enter(member), &state) }
            add(joiner.connection, &state)
            if let member { state.shown[ObjectIdentifier(joiner.connection)] = member }
            let isShown = member != nil || state.presence.count > 0
            let presence =
                isShown
                ? WirePush(event: "presence_state", payload: state.presence.payload, topic: topic) : nil
            let held = rules.isPositioned ? joiner.held : joiner.held.map(Self.withoutPosition)
            run(joiner.connection.lane, &state, complete(held, presence))
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

    /// Removes a member. Returns nil if it was none, and how it was shown.
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
        // The last one takes the place: no others move.
        if last !== connection {
            state.groups[group].members[place] = last
            state.places[ObjectIdentifier(last)] = place
        }
        if state.groups[group].members.isEmpty { state.groups.remove(at: group) }
        state.count -= 1
        return true
    }

    /// Puts a connection in the place of another, whose session it has taken over.
    func replace(_ old: ServerConnection, by new: ServerConnection) {
        change { state in
            guard Self.remove(old, &state) else { return }
            add(new, &state)
            state.shown[ObjectIdentifier(new)] = state.shown.removeValue(forKey: ObjectIdentifier(old))
        }
    }

    /// Closes the channel if nobody is in it.
    func closeIfEmpty() -> Bool {
        change { state in
            if state.isEmpty { state.isClosed = true }
            return state.isEmpty
        }
    }
}
#endif
