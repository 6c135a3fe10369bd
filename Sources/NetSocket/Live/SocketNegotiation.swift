public import NetCore
internal import Synchronization

/// A new connection before its session uses it. Messages received here don't reach the session.
///
///     var configuration = SocketClient.Configuration(wire: .raw)
///     configuration.negotiate = { connection in
///         try await connection.send(.text(#"{"op":"auth","key":"a1b2"}"#))
///         guard try await connection.receive().text?.contains("auth_ok") == true else {
///             throw NetError(.authentication, phase: .receiving, message: "the feed has refused the key")
///         }
///     }
public struct SocketNegotiation: Sendable {
    private let socket: WebSocketConnection

    /// Sends a message.
    public func send(_ message: WebSocketMessage) async throws(NetError) { try await socket.send(message) }

    /// Returns the next message; suspends until one arrives. Throws if the connection ends, or the task is cancelled.
    public func receive() async throws(NetError) -> WebSocketMessage { try await socket.receive() }

    /// Negotiates over a connection. Drops the connection if that fails, or takes longer than `limit`.
    static func perform(
        _ negotiate: @escaping @Sendable (SocketNegotiation) async throws -> Void, over socket: WebSocketConnection,
        limit: Duration, on clock: NetClock
    ) async throws(NetError) {
        do {
            // Dropping the connection ends operations that ignore cancellation.
            try await withTaskCancellationHandler {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { try await negotiate(SocketNegotiation(socket: socket)) }
                    group.addTask {
                        try await clock.sleep(for: limit)
                        throw NetError(
                            .timeout, phase: .waiting, message: "the negotiation didn't finish within \(limit)")
                    }
                    do {
                        try await group.next()
                    } catch {
                        // Drops the connection only now, when the reason is known: its loss would cause another error.
                        socket.drop()
                        throw error
                    }
                }
            } onCancel: {
                socket.drop()
            }
        } catch {
            throw NetError(error)
                ?? NetError(
                    .invalidRequest, phase: .preparing,
                    message: "the negotiation failed: \(ErrorSummary.describe(error))", underlying: error)
        }
    }
}
