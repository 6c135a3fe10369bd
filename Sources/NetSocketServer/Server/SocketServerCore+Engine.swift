#if Server
internal import Logging
internal import NetCore
internal import NetSocketCore

extension SocketServerCore {
    /// Handles an event of the engine. Called on any thread; the events of one topic arrive in order.
    func receive(_ event: FanOutEvent) {
        if let topic = event.topic, UserDirectory.owns(topic) {
            if let (user, order) = users?.order(event) { follow(order, of: user) }
            return
        }
        if case .gap(let topic, _) = event { observer?.report(.gap(topic: topic)) }
        if channels.receive(event) { return }
        switch event {
        case .away(let reason):
            metrics.fanOutChanged(isAway: true)
            logger.warning("the fan-out engine is unavailable", metadata: ["reason": "\(reason)"])
            observer?.report(.fanOutAway(reason: reason))
            tellOutage(isOver: false)
        case .back:
            metrics.fanOutChanged(isAway: false)
            logger.notice("the fan-out engine is available again")
            observer?.report(.fanOutBack)
            tellOutage(isOver: true)
        case .message, .gap, .members, .entered, .left: break
        }
    }

    /// Returns the connections of a user if this is the only server.
    func localMembers(of user: String) -> [PresenceMember] {
        connections.connections(of: user).map {
            PresenceMember(key: user, connection: $0.id.description, node: node)
        }
    }

    private func follow(_ order: UserDirectory.Order, of user: String) {
        let receivers = connections.connections(of: user)
        switch order {
        case .push(let push, let except):
            let shared = SharedPush(push, to: user)
            onLanes(of: receivers.filter { $0.id.description != except }) { $0.receive(shared) }
        case .close(let code, let reason):
            onLanes(of: receivers) { if $0.identity.user == user { $0.close(code, reason) } }
        }
    }

    private func tellOutage(isOver: Bool) {
        guard let event = configuration.outageEvent else { return }
        channels.tellEverybody(event, SocketPayload(json: "{\"available\":\(isOver)}"))
    }
}

extension FanOutEvent {
    var topic: String? {
        switch self {
        case .message(let message): message.topic
        case .gap(let topic, _), .members(_, let topic), .entered(_, let topic), .left(_, let topic): topic
        case .away, .back: nil
        }
    }
}
#endif
