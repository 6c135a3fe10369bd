public import NetCore
public import NetSocketCore

/// Something that a session has seen.
public enum SocketSessionEvent: Sendable {
    /// The state has changed.
    case state(SocketSessionState)
    /// The server has sent a message by itself.
    case push(WirePush)
    /// The join of a channel was sent.
    case joining(topic: String)
    /// A channel was joined, with the server's reply and what was missed since the last connection.
    case joined(topic: String, reply: SocketPayload?, missed: MissedPushes)
    /// The server was asked to let this side leave a channel.
    case leaving(topic: String)
    /// A channel was left, by this side or by the server, or joining it was refused or given up.
    case left(topic: String, SocketFailure?)
    /// The connection of a channel has ended; it is joined again on the next one.
    case interrupted(topic: String)
    /// Pushes of a channel are missing here.
    case gap(topic: String)
    /// The server wants something of this side (``SocketClient/onRequest(_:answer:)``).
    case request(WireRequest)
    /// The handler of such a request has thrown something else than a ``NetSocketCore/SocketFailure``, or its response can't
    /// be sent. The server was told that it failed.
    case unhandled(WireRequest, NetError)
    /// A reply came for which nobody waits, too late or twice.
    case stray(WireReply)
    /// Messages that were sent, and of which the server has not said that they have arrived, in order. They are lost unless
    /// they have arrived: the server, or this session, has ended. Only where a ``NetSocketCore/SocketDelivery`` is set.
    case undelivered([WireRequest])
    /// The reply to a command that was posted (``SocketClient/post(_:timeout:offline:)``), or why there is none, such as a
    /// time-out.
    case reply(to: SocketTicket, Result<SocketPayload?, SocketCommandError>)
    /// A message, or the payload of a push, could not be read. The connection goes on.
    case unreadable(NetError)

    init?(_ notice: SessionMachine.Notice) {
        switch notice {
        case .state(let state): self = .state(state)
        case .push(let push): self = .push(push)
        case .joining(let topic): self = .joining(topic: topic)
        case .joined(let topic, let reply, let missed): self = .joined(topic: topic, reply: reply, missed: missed)
        case .leaving(let topic): self = .leaving(topic: topic)
        case .left(let topic, let failure): self = .left(topic: topic, failure)
        case .interrupted(let topic): self = .interrupted(topic: topic)
        case .gap(let topic): self = .gap(topic: topic)
        case .request(let request, _): self = .request(request)
        case .unhandled(let request, let error): self = .unhandled(request, error)
        case .stray(let reply): self = .stray(reply)
        case .undelivered(let requests): self = .undelivered(requests)
        case .unreadable(let error): self = .unreadable(error)
        case .settled(let ticket, let outcome): self = .reply(to: SocketTicket(number: ticket), outcome.result)
        case .event, .completed, .cancelled: return nil
        }
    }
}
