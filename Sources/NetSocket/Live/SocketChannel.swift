internal import NetCore
public import NetSocketCore

/// A joined channel. It is joined again on each new connection until ``leave()``.
///
///     let client = SocketClient("wss://chat.example/socket")
///     client.start()
///     let room = try await client.join("room:general")
///     for try await event in room.events(.dropOldest(500)) {
///         switch event {
///         case .push(let push): print(push.event)
///         case .joined(_, missed: .nothing): break
///         case .joined, .gap: print("fetch again what may be missing")
///         case .interrupted, .joining: print("not connected")
///         case .leaving: break
///         case .left(let failure): print("left:", failure?.message ?? "")
///         }
///     }
public struct SocketChannel: Sendable {
    /// An event in a channel.
    public enum Event: Sendable {
        /// A message from the server.
        case push(WirePush)
        /// A join was sent.
        case joining
        /// The channel was joined, with the server's reply and the pushes missed since the last connection.
        case joined(SocketPayload?, missed: MissedPushes)
        /// Pushes are missing at this point.
        case gap
        /// The connection has ended; the channel is joined again on the next one.
        case interrupted
        /// A request to leave was sent.
        case leaving
        /// The channel was left, by this side or by the server, or the join was refused. No more events follow until
        /// the channel is joined again.
        case left(SocketFailure?)
    }

    let client: SocketClient
    /// The name of the channel.
    public let topic: String
    /// The server's reply to the join that returned this value; nil for none, and for a value of
    /// ``SocketClient/channel(_:)``. Replies to later joins are events.
    public let reply: SocketPayload?

    init(client: SocketClient, topic: String, reply: SocketPayload? = nil) {
        self.client = client
        self.topic = topic
        self.reply = reply
    }

    /// Sends a command in the channel and returns its reply; see ``SocketClient/send(_:timeout:offline:)``.
    @discardableResult
    public func send<Command: SocketCommand>(
        _ command: Command, timeout: Duration? = nil, offline: OfflineRule = .queue
    ) async throws(SocketCommandError) -> Command.Response {
        try await client.driver.send(command, topic: topic, timeout, offline)
    }

    /// Sends a message in the channel that doesn't get a reply.
    public func notify(_ push: some SocketPush, offline: OfflineRule = .queue) async throws(SocketCommandError) {
        try await client.driver.notify(push, topic: topic, offline)
    }

    /// The current state.
    public var state: SocketChannelState { client.driver.channelState(topic) }

    /// Returns all events of the channel from now on.
    public func events(_ buffer: SocketBuffer = .standard) -> SocketSequence<Event> {
        client.driver.hub.observe(buffer) { [topic] in Event($0, of: topic) }
    }

    /// The pushes of the channel from now on.
    public var pushes: SocketSequence<WirePush> {
        client.driver.hub.observe(.standard) { [topic] notice in
            if case .push(let push) = notice, push.belongs(to: topic) { push } else { nil }
        }
    }

    /// Returns the pushes of a type from now on; see ``SocketClient/pushes(of:_:)``.
    public func pushes<Push: SocketPush>(
        of type: Push.Type, _ buffer: SocketBuffer = .standard
    ) -> SocketSequence<Push> {
        client.driver.pushes(of: type, topic: topic, buffer)
    }

    /// Leaves the channel, and returns when the server has replied or the connection has ended.
    public func leave() async throws(SocketCommandError) { try await client.driver.leave(topic) }
}

extension SocketChannel.Event {
    init?(_ notice: SessionMachine.Notice, of topic: String) {
        switch notice {
        case .push(let push) where push.belongs(to: topic): self = .push(push)
        case .joining(topic): self = .joining
        case .joined(topic, let reply, let missed): self = .joined(reply, missed: missed)
        case .gap(topic): self = .gap
        case .interrupted(topic): self = .interrupted
        case .leaving(topic): self = .leaving
        case .left(topic, let failure): self = .left(failure)
        default: return nil
        }
    }
}
