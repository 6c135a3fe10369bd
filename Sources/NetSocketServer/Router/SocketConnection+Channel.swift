#if Server
public import NetSocketCore

extension SocketConnection {
    /// Pushes a typed value only to this connection, as a message of a channel that it is in. In wire protocols whose
    /// pushes all belong to channels, such as Phoenix's, this is the only way to push to one connection.
    ///
    /// Waits while the connection's outbox is full. The push has no position in the channel's history. A connection
    /// that has ended receives nothing, which isn't an error. Throws `.encoding`.
    public func push<Push: SocketPush>(_ push: Push, in topic: String) async throws {
        try await self.push(Push.event, SocketPayload(push, coding: connection.core.table.coding), in: topic)
    }

    /// Pushes an event by its name, with an optional payload, as a message of a channel.
    public func push(_ event: String, _ payload: SocketPayload? = nil, in topic: String) async throws {
        try await connection.say(.push(WirePush(event: event, payload: payload, topic: topic)), in: era)
    }
}
#endif
