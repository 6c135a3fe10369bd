/// Sees each attempt of a call at the transport: also those that a middleware repeats, of which the middleware outside of it
/// gets the last alone.
package protocol AttemptHook: Sendable {
    /// May change what is about to be sent.
    func willSend(_ request: inout PreparedRequest, _ context: CallContext)
    /// Gets the head of an answer, whoever takes it.
    func didReceive(_ head: ResponseHead, to request: PreparedRequest, _ context: CallContext)
}
