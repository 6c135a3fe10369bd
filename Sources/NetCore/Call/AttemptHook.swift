/// Sees each attempt of a call at the transport, also those that a middleware repeats and of which the middleware outside of it
/// gets only the last.
package protocol AttemptHook: Sendable {
    /// May change what is about to be sent, and wait for what that takes; an error ends the attempt before it begins.
    func willSend(_ request: inout PreparedRequest, _ context: CallContext) async throws(NetError)
    /// Gets the head of a response, whoever takes it.
    func didReceive(_ head: ResponseHead, to request: PreparedRequest, _ context: CallContext)
}
