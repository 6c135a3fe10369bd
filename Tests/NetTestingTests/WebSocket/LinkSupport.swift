import NetCore
import NetTesting
import Testing

extension WebSocketLink {
    /// Receives that many messages.
    func receive(_ count: Int) async throws -> [WebSocketMessage] {
        var messages: [WebSocketMessage] = []
        while messages.count < count { messages += try await receive() }
        return messages
    }

    /// Receives until the connection ends, and returns the reason.
    func end() async throws -> NetError {
        while true {
            do { _ = try await receive() } catch { return error }
        }
    }
}
