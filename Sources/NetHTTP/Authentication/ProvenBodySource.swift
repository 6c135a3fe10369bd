internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// A body that arrives and is hashed while it is read; where the hash is not the proven one, an error stands in place of its end.
final class ProvenBodySource: BodySource {
    private struct State: ~Copyable {
        var hash: BodyHash
        var failure: NetError?
        var hasEnded = false

        init(_ hash: consuming BodyHash) { self.hash = hash }
    }

    private let body: ResponseBody
    private let problem: @Sendable (String) -> NetError?
    private let state: Mutex<State>

    /// nil where the system forbids the hash.
    ///
    /// - Parameter problem: What is wrong with a hash; nil where it is right.
    init?(
        _ body: ResponseBody, _ algorithm: DigestChallenge.Algorithm,
        problem: @escaping @Sendable (String) -> NetError?
    ) {
        guard let hash = BodyHash(algorithm) else { return nil }
        self.body = body
        self.problem = problem
        state = Mutex(State(hash))
    }

    var metrics: TransferMetrics? { body.metrics }
    var trailers: HTTPFields? { body.trailers }

    func cancel() { body.cancel() }

    func next() async throws(NetError) -> Bytes? {
        var iterator = body.makeAsyncIterator()
        if let chunk = try await iterator.next() {
            state.withLock { $0.hash.update(chunk) }
            return chunk
        }
        let failure = state.withLock { state -> NetError? in
            if !state.hasEnded {
                state.hasEnded = true
                state.failure = problem(state.hash.finish().hexadecimal)
            }
            return state.failure
        }
        if let failure { throw failure }
        return nil
    }
}
