#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension ServerConnection {
    var identity: Identity { current.identity }
    var current: (identity: Identity, era: Int) { currentIdentity.withLock { $0 } }

    /// The number of times that the connection's user has changed. Pushes, joins and handles of an earlier era aren't
    /// meant for the current user.
    var era: Int { currentEra.load(ordering: .acquiring) }

    /// Sets the identity. Returns true if the connection had another user before.
    func setIdentity(_ identity: Identity) -> Bool {
        let former = self.identity
        let isAnother = !(former.principal is Unidentified) && !identity.isSameUser(as: former)
        currentIdentity.withLock { current in
            current.identity = identity
            guard isAnother else { return }
            current.era += 1
            currentEra.store(current.era, ordering: .releasing)
        }
        return isAnother
    }

    /// Applies credentials that were accepted, unless they came too late. On the lane.
    func identified(_ id: ConnectionMachine.WorkID, _ identity: Identity) {
        guard machine.running.contains(where: { $0.id == id }) else { return ended(id, .done(nil)) }
        do { try core.count(identity.user, ticket, at: HandshakePlace(head)) } catch {
            return ended(id, .failed(SocketFailure("too_many_connections", error.message)))
        }
        identified(identity, isAnother: setIdentity(identity))
        // The former user's joins that have just ended come first: they are on this lane by now.
        lane.run { self.ended(id, .done(nil)) }
    }

    func identified(_ identity: Identity, isAnother: Bool) {
        core.identified(self, identity)
        if isAnother { userChanged() }
    }

    /// Takes from the connection what was the former user's. On the lane.
    private func userChanged() {
        let now = core.clock.now()
        discard(.user)
        core.sessions.changeUser(of: self)
        core.channels.giveUpJoins(of: self, in: machine.joiningTopics)
        let topics = machine.topics.sorted()
        for topic in topics { core.channels.conceal(self, in: topic) }
        let refused = Set(topics.filter { _ in rate.join(at: now) == .exceeded })
        perform { machine, effects in machine.userChanged(now, refusing: refused, &effects) }
    }

    /// Removes what waits in the outbox and may not be sent any more. Messages with numbers become empty ones.
    func discard(_ scope: ClientOutbox.Scope) {
        switch scope {
        case .topic(let topic): machine.voidPushes(of: topic)
        case .user: machine.voidPushes(of: nil)
        case .reply: return
        }
        let before = outbox.bytes
        let count = outbox.discard(scope) { number in
            (try? wire.encode(.numbered(number, .alive(nil))))?.first.map { .message($0) }
        }
        core.metrics.outboxChanged(by: outbox.bytes - before)
        if count > 0 { core.metrics.pushesDropped(count, .closed) }
    }

    /// Sends a message that shows that the server is alive: it doesn't wait for the decisions of channels.
    func sendAlive(_ content: ClientOutbox.Content) {
        guard isHolding, !isClosing, let outlet else { return send(content, key: nil) }
        write(content, outlet)
    }

    /// Sends a signal on the connection that has taken over the session, unless that has got another user.
    func forward(_ signal: WireSignal, to successor: Successor) {
        let connection = successor.connection
        connection.lane.run {
            if connection.era == successor.era { return connection.say(signal) }
            guard case .reply(var reply) = signal else { return }
            reply.outcome = .failure(ConnectionMachine.userChanged)
            connection.say(.reply(reply))
        }
    }

    /// The connection that has taken over a session, and its era at that time.
    struct Successor: Sendable {
        let connection: ServerConnection
        let era: Int

        init(_ connection: ServerConnection) {
            self.connection = connection
            era = connection.era
        }
    }
}

extension WireSignal {
    /// The receivers that a signal is meant for.
    var scope: ClientOutbox.Scope {
        switch self {
        case .push(let push): push.topic.map { .topic($0) } ?? .user
        case .event: .user
        case .numbered(_, let signal): signal.scope
        default: .reply
        }
    }
}
#endif
