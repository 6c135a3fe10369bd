internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// A body that is hashed while it is read; where it is not what was announced, an error stands in place of its end.
final class VerifiedBodySource: BodySource {
    private struct State: ~Copyable {
        var hashes: BodyHashes
        var failure: NetError?
        var hasEnded = false

        init(_ algorithms: Set<DigestAlgorithm>) {
            hashes = BodyHashes(algorithms)
        }
    }

    private let body: PulledBody
    private let verification: DigestVerification
    private let state: Mutex<State>

    init(_ body: ResponseBody, _ verification: DigestVerification) {
        self.body = PulledBody(body)
        self.verification = verification
        state = Mutex(State(verification.algorithms))
    }

    var metrics: TransferMetrics? { body.body.metrics }
    var trailers: HTTPFields? { body.body.trailers }

    func cancel() { body.body.cancel() }

    func next() async throws(NetError) -> Bytes? {
        if let chunk = try await body.next() {
            state.withLock { $0.hashes.update(chunk) }
            return chunk
        }
        let digests = state.withLock { state -> [DigestAlgorithm: Bytes]? in
            if state.hasEnded { return nil }
            state.hasEnded = true
            return state.hashes.finish()
        }
        if let digests {
            do throws(NetError) {
                try verification.compare(digests, trailers: trailers)
            } catch {
                state.withLock { $0.failure = error }
            }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return nil
    }
}
