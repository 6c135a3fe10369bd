public import NetCore

/// The messages of a WebSocket, in order; see ``WebSocketConnection/messages``.
public struct WebSocketMessages: AsyncSequence, Sendable {
    public typealias Element = WebSocketMessage
    public typealias Failure = NetError

    let connection: WebSocketConnection

    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

    /// Takes one message after another from the connection, and keeps no copies.
    public struct Iterator: AsyncIteratorProtocol {
        let connection: WebSocketConnection

        public mutating func next() async throws(NetError) -> WebSocketMessage? {
            try await next(isolation: #isolation)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetError) -> WebSocketMessage? {
            do throws(NetError) {
                return try await connection.receive()
            } catch {
                if error.code == .webSocketClosed, error.closure?.decisiveCode == .normalClosure { return nil }
                throw error
            }
        }
    }
}
