internal import NetCore
public import NetSocketCore

extension SocketChannel {
    /// The members of the channel, from the server's pushes `presence_state` and `presence_diff`; empty if it sends
    /// none.
    ///
    /// It is kept while the connection is away, and after the next join the server's list replaces it. It is empty once
    /// the channel has been left. A push that can't be read is reported as ``SocketSessionEvent/unreadable(_:)``.
    public var presence: Presence { client.driver.hub.presence(of: topic) }

    /// The members of the channel now, and after each change. The changes themselves are ``NetSocketCore/Presence/joined``
    /// and ``NetSocketCore/Presence/left``. If the observer is slow, the oldest are dropped.
    ///
    ///     let client = SocketClient("wss://chat.example/socket")
    ///     client.start()
    ///     let room = try await client.join("room:general")
    ///     for try await presence in room.presences {
    ///         for member in presence.joined { print(member.key, "joined") }
    ///         for member in presence.left { print(member.key, "left") }
    ///         print("here:", presence.keys)
    ///     }
    public var presences: SocketSequence<Presence> {
        client.driver.hub.observe(
            .dropOldest(100), first: { [topic] in $0.presences[topic] ?? Presence() },
            { [topic] notice in if case .presence(topic, let presence) = notice { presence } else { nil } })
    }
}
