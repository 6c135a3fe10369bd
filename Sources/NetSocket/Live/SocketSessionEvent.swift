public import NetCore
public import NetSocketCore

/// Something that a session has seen.
public enum SocketSessionEvent: Sendable {
    /// The state has changed.
    case state(SocketSessionState)
    /// The server has sent a message by itself.
    case push(WirePush)
    /// A channel was joined, with the server's reply and what was missed since the last connection.
    case joined(topic: String, reply: SocketPayload?, missed: MissedPushes)
    /// A channel was left, by this side or by the server, or joining it again was refused.
    case left(topic: String, SocketFailure?)
    /// The connection of a channel has ended; it is joined again on the next one.
    case interrupted(topic: String)
    /// Pushes of a channel are missing here.
    case gap(topic: String)
    /// The server wants something of this side.
    case request(WireRequest)
    /// A reply came for which nobody waits, too late or twice.
    case stray(WireReply)
    /// Messages that were sent, and of which the server has not said that they have arrived, in order. They are lost unless
    /// they have arrived: the server, or this session, has ended. Only where a ``NetSocketCore/SocketDelivery`` is set.
    case undelivered([WireRequest])
    /// A message, or the payload of a push, could not be read. The connection goes on.
    case unreadable(NetError)

    init?(_ notice: SessionMachine.Notice) {
        switch notice {
        case .state(let state): self = .state(state)
        case .push(let push): self = .push(push)
        case .joined(let topic, let reply, let missed): self = .joined(topic: topic, reply: reply, missed: missed)
        case .left(let topic, let failure): self = .left(topic: topic, failure)
        case .interrupted(let topic): self = .interrupted(topic: topic)
        case .gap(let topic): self = .gap(topic: topic)
        case .request(let request): self = .request(request)
        case .stray(let reply): self = .stray(reply)
        case .undelivered(let requests): self = .undelivered(requests)
        case .unreadable(let error): self = .unreadable(error)
        case .event, .completed, .cancelled: return nil
        }
    }
}
