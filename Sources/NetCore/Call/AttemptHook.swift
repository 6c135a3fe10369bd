/// A hook that is called for each attempt of a call, directly around the transport. That includes attempts that an
/// inner middleware repeats, of which an outer one sees only the last.
package protocol AttemptHook: Sendable {
    /// Called before an attempt. May change the request, and may suspend while it does; an error ends the attempt
    /// before it starts.
    func willSend(_ request: inout PreparedRequest, _ context: CallContext) async throws(NetError)
    /// Called with the head of each response, including responses that a middleware doesn't pass on.
    func didReceive(_ head: ResponseHead, to request: PreparedRequest, _ context: CallContext)
    /// The hook's part of an attempt that the call's identity doesn't cover, such as the credential of another login;
    /// nil for none.
    var difference: IdentityDifference? { get }
}
