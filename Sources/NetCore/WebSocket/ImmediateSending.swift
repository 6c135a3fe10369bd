/// A link that can send without suspending, for a caller that would otherwise wake a task to send for it.
package protocol ImmediateSending: WebSocketLink {
    /// Sends a message, unless the task that sends it would have to wait or the connection has ended: returns false then, and
    /// the message isn't sent.
    func sendImmediately(_ message: WebSocketMessage) -> Bool
}
