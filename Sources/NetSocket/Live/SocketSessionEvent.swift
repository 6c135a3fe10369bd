public import NetCore
public import NetSocketCore

/// An event that a session reports.
public enum SocketSessionEvent: Sendable {
    /// The state has changed.
    case state(SocketSessionState)
    /// A message that the server has sent on its own.
    case push(WirePush)
    /// The join of a channel was sent.
    case joining(topic: String)
    /// A channel was joined, with the server's reply and the pushes missed since the last connection.
    case joined(topic: String, reply: SocketPayload?, missed: MissedPushes)
    /// A request to leave a channel was sent.
    case leaving(topic: String)
    /// A channel was left, by this side or by the server, or the join was refused or given up.
    case left(topic: String, SocketFailure?)
    /// The connection of a channel has ended; it is joined again on the next one.
    case interrupted(topic: String)
    /// Pushes of a channel are missing at this point.
    case gap(topic: String)
    /// A request from the server (``SocketClient/onRequest(_:respond:)``).
    case request(WireRequest)
    /// The handler of such a request threw an error other than a ``NetSocketCore/SocketFailure``, or its response can't
    /// be sent. The server got a refusal.
    case unhandled(WireRequest, NetError)
    /// A reply that no call is waiting for: it is late or a duplicate.
    case stray(WireReply)
    /// Messages that were sent but not confirmed by the server, in order, when the server had lost the session or this
    /// session ended. They may or may not have arrived. Reported only if a ``NetSocketCore/SocketDelivery`` is set.
    case undelivered([WireRequest])
    /// The reply to a posted command (``SocketClient/post(_:timeout:offline:)``), or the reason why there isn't one,
    /// such as a timeout.
    case reply(to: SocketTicket, Result<SocketPayload?, SocketCommandError>)
    /// A message, or the payload of a push, that couldn't be read. The connection continues.
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
        case .event, .completed, .cancelled, .presence: return nil
        }
    }
}
