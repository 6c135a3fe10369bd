internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// A check, such as a hash, that receives a body as it is read, and reports its result at the end.
package protocol BodyCheck: ~Copyable {
    mutating func update(_ chunk: Bytes)
    /// Returns the error of the complete body; nil if it passes. Called once.
    mutating func problem(trailers: HTTPFields?) -> NetError?
}

/// A body that is checked as it is read; if the check fails, its end is replaced by an error.
package final class CheckedBodySource<Check: BodyCheck & ~Copyable>: BodySource {
    private struct State: ~Copyable {
        var check: Check
        var failure: NetError?
        var hasEnded = false

        init(_ check: consuming Check) { self.check = check }
    }

    private let body: PulledBody
    private let state: Mutex<State>

    package init(_ body: ResponseBody, _ check: consuming sending Check) {
        self.body = PulledBody(body)
        state = Mutex(State(check))
    }

    package var metrics: TransferMetrics? { body.body.metrics }
    package var trailers: HTTPFields? { body.body.trailers }

    package func cancel() { body.body.cancel() }

    package func next() async throws(NetError) -> Bytes? {
        if let chunk = try await body.next() {
            state.withLock { $0.check.update(chunk) }
            return chunk
        }
        let trailers = trailers
        let failure = state.withLock { state -> NetError? in
            if !state.hasEnded {
                state.hasEnded = true
                state.failure = state.check.problem(trailers: trailers)
            }
            return state.failure
        }
        if let failure { throw failure }
        return nil
    }
}
