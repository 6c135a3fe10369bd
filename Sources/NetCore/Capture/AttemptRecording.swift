package import HTTPTypes

/// The content of one attempt, including its secrets; read only through a redaction policy.
package struct AttemptRecording: Sendable {
    enum Outcome: Sendable {
        case response(
            ResponseHead, BodyTape, failure: NetError?, trailers: HTTPFields?, metrics: TransferMetrics?)
        case failure(NetError)
    }

    let tape: AttemptTape
    let outcome: Outcome
    /// The time until the head or the failure.
    let duration: Duration

    /// The approximate size of the kept response in bytes.
    var responseSize: Int {
        guard case .response(let head, let tape, _, _, _) = outcome else { return 0 }
        return tape.keptCount + head.headers.size
    }

    /// Returns the exchange without the secrets that the policy hides.
    ///
    /// - Parameter shown: Returns the part of a body that may be shown, given the body's headers. Default: all of it.
    package func redacted(
        by policy: RedactionPolicy, _ shown: (CapturedBody, HTTPFields) -> CapturedBody = { body, _ in body }
    ) -> CapturedExchange {
        var exchange = tape.exchange(content(shown), after: duration, redactedBy: policy, shown)
        if case .response(_, _, _, _, let metrics) = outcome { exchange.metrics = metrics }
        return exchange
    }

    private func content(_ shown: (CapturedBody, HTTPFields) -> CapturedBody) -> CapturedExchange.Outcome {
        switch outcome {
        case .failure(let error): return .failure(CapturedExchange.Failure(error))
        case .response(let head, let tape, let failure, let trailers, _):
            var response = CapturedExchange.Response(
                status: head.status, version: head.version, headers: head.headers, body: tape.body(failure: failure),
                trailers: trailers)
            response.dropDecodedCoding()
            response.body = shown(response.body, response.headers)
            return .response(response)
        }
    }
}

extension HTTPFields {
    /// The approximate size of the fields in bytes.
    var size: Int { reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 } }
}

extension AttemptRecording: CustomStringConvertible, CustomReflectable {
    package var description: String { "AttemptRecording" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
