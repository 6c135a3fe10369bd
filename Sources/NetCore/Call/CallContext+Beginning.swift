/// The beginning and the end of a call, as its client reports them.
extension CallContext {
    /// Starts the call; from now on, its client can end it.
    package func begin(_ request: PreparedRequest) {
        environment.calls?.enter(call)
        record(.started(requestBytes: request.bodyLength))
    }

    /// Ends the call with an outcome.
    package func end(_ outcome: ActivityEvent.Outcome) {
        environment.calls?.leave(call)
        record(.ended(outcome))
    }

    /// Ends the call as failed, or as cancelled if the error is a cancellation.
    package func end(failure error: NetError) { end(error.isCancellation ? .cancelled : .failed(error)) }

    /// Reports a call whose request couldn't be prepared: it starts and ends immediately, and isn't added to the
    /// client's running calls. Returns the error with the call's details.
    package static func fail<R: APIRequest>(
        toPrepare request: R, with error: NetError, environment: Environment
    ) -> NetError {
        let target = RunningCall.Target.unprepared(
            request.method, request.target(environment.redaction), request.options.metadata)
        return CallContext(target, .collected(upTo: 0), Timeouts(), environment).fail(unbegun: error)
    }

    /// Reports a call whose prepared request can't be sent. Returns the error with the call's details.
    package static func fail(
        toSend request: PreparedRequest, with error: NetError, environment: Environment
    ) -> NetError {
        CallContext(.prepared(request), .collected(upTo: 0), Timeouts(), environment).fail(unbegun: error)
    }

    private func fail(unbegun error: NetError) -> NetError {
        let error = error.belonging(to: summary, elapsed: elapsed)
        record(.started(requestBytes: nil))
        record(.ended(error.isCancellation ? .cancelled : .failed(error)))
        return error
    }
}
