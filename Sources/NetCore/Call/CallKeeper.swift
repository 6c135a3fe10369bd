/// Knows the calls that a client has under way, to wait for them and to end them: those that its callers began, and those that
/// a middleware makes of its own.
package protocol CallKeeper: AnyObject, Sendable {
    /// A call has begun. It is ended at once where no more are taken.
    func enter(_ call: ActivityRecorder)
    /// It is over.
    func leave(_ call: ActivityRecorder)
}

extension CallContext {
    /// The call begins: from now on its client can end it.
    package func begin(_ request: PreparedRequest) {
        environment.calls?.enter(recorder)
        record(.started(requestBytes: request.bodyLength))
    }

    /// The call is over.
    package func end(_ outcome: ActivityEvent.Outcome) {
        environment.calls?.leave(recorder)
        record(.ended(outcome))
    }

    /// The call has failed, or was cancelled.
    package func end(failure error: NetError) { end(error.isCancellation ? .cancelled : .failed(error)) }
}
