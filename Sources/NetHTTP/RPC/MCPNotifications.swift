public import NetCore

/// The notifications of an MCP server outside of requests; see ``MCPClient/notifications()``. Throws
/// ``NetCore/NetError``.
///
///     let mcp = MCPClient("mcp", client: client, info: .init(name: "example", version: "1.0"))
///     try await mcp.initialize()
///     for try await notification in try mcp.notifications() { print(notification) }
public struct MCPNotifications: AsyncSequence, Sendable {
    public typealias Element = MCPNotification
    public typealias Failure = NetError

    let wire: MCPWire
    let session: MCPSession
    let source: EventSource

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(wire: wire, session: session, events: source.makeAsyncIterator())
    }

    /// Iterates over the notifications.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let wire: MCPWire
        let session: MCPSession
        var events: EventSource.AsyncIterator

        public mutating func next() async throws(NetError) -> MCPNotification? { try await next(isolation: nil) }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetError) -> MCPNotification? {
            while let event = try await events.next(isolation: actor) {
                var found: MCPNotification?
                _ = try await wire.read(event, nil, session) { found = $0 }
                if let found { return found }
            }
            return nil
        }
    }
}

extension MCPNotifications: CustomReflectable {
    /// Empty, because the session's ID is a secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension MCPNotifications.AsyncIterator: CustomReflectable {
    /// Empty, because the session's ID is a secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
