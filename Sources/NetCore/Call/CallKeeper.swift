/// The registry of a client's running calls, for waiting for them and ending them. It includes the calls that
/// middleware makes.
package protocol CallKeeper: AnyObject, Sendable {
    /// Registers a call that has started. If the client no longer accepts calls, the call is ended immediately.
    func enter(_ call: ActivityRecorder)
    /// Removes a call that is over.
    func leave(_ call: ActivityRecorder)
}

extension CallContext {
    /// Starts the call; from now on, its client can end it.
    package func begin(_ request: PreparedRequest) {
        environment.calls?.enter(recorder)
        record(.started(requestBytes: request.bodyLength))
    }

    /// Ends the call with an outcome.
    package func end(_ outcome: ActivityEvent.Outcome) {
        environment.calls?.leave(recorder)
        record(.ended(outcome))
    }

    /// Ends the call as failed, or as cancelled if the error is a cancellation.
    package func end(failure error: NetError) { end(error.isCancellation ? .cancelled : .failed(error)) }
}
