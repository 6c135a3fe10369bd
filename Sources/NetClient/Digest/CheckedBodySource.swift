internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// What is made of a body while it is read, a hash above all, and judged at its end.
package protocol BodyCheck: ~Copyable {
    mutating func update(_ chunk: Bytes)
    /// What is wrong with the whole; nil where nothing is. Asked once.
    mutating func problem(trailers: HTTPFields?) -> NetError?
}

/// A body that is checked while it is read; where it is not what was announced, an error stands in place of its end.
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
