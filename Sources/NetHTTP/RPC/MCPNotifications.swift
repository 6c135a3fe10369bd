public import NetCore

/// What an MCP server tells outside of requests; see ``MCPClient/notifications()``. Throws ``NetCore/NetError``.
public struct MCPNotifications: AsyncSequence, Sendable {
    public typealias Element = MCPNotification
    public typealias Failure = NetError

    let wire: MCPWire
    let session: MCPSession
    let source: EventSource

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(wire: wire, session: session, events: source.makeAsyncIterator())
    }

    /// Returns the notifications.
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
    /// No parts, because the session's ID is a secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension MCPNotifications.AsyncIterator: CustomReflectable {
    /// No parts, because the session's ID is a secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
