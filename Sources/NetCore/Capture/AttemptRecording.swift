internal import HTTPTypes

/// What passed in one attempt, with its secrets: it is read only through a policy.
package struct AttemptRecording: Sendable {
    enum Outcome: Sendable {
        case response(ResponseHead, BodyTape, failure: NetError?, trailers: HTTPFields?)
        case failure(NetError)
    }

    let tape: AttemptTape
    let outcome: Outcome
    /// The time until the head or the failure.
    let duration: Duration

    /// Returns the exchange without what the policy hides.
    package func redacted(by policy: RedactionPolicy) -> CapturedExchange {
        tape.exchange(content, after: duration, redactedBy: policy)
    }

    private var content: CapturedExchange.Outcome {
        switch outcome {
        case .failure(let error): return .failure(CapturedExchange.Failure(error))
        case .response(let head, let tape, let failure, let trailers):
            var response = CapturedExchange.Response(
                status: head.status, version: head.version, headers: head.headers, body: tape.body(failure: failure),
                trailers: trailers)
            response.dropDecodedCoding()
            return .response(response)
        }
    }
}

extension AttemptRecording: CustomStringConvertible, CustomReflectable {
    package var description: String { "AttemptRecording" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
