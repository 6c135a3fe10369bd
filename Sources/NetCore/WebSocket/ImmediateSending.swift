/// A link that can send without suspending, so that callers needn't wake a task for it.
package protocol ImmediateSending: WebSocketLink {
    /// Sends a message immediately. Returns false, without sending it, if a sender would have to wait or the
    /// connection has ended.
    func sendImmediately(_ message: WebSocketMessage) -> Bool
}
