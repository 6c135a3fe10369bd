internal import HTTPTypes
internal import NetCompression
internal import NetCore
internal import Synchronization

/// Decodes a body while it is read, on the consumer's task.
final class DecodedBodySource: BodySource {
    private struct State: ~Copyable {
        var decoder: any StreamDecoder & ~Copyable
        /// Bytes that were received but not decoded yet.
        var pending = Bytes()
        var guardian: ExpansionGuard
        var hasFailed = false

        init(_ coding: ContentCoding, _ guardian: ExpansionGuard) {
            decoder = coding.makeDecoder()
            self.guardian = guardian
        }
    }

    private let body: PulledBody
    private let coding: ContentCoding
    private let state: Mutex<State>

    init(_ body: ResponseBody, _ coding: ContentCoding, _ guardian: ExpansionGuard) {
        self.body = PulledBody(body)
        self.coding = coding
        state = Mutex(State(coding, guardian))
    }

    var metrics: TransferMetrics? { body.body.metrics }
    var trailers: HTTPFields? { body.body.trailers }

    func cancel() { body.body.cancel() }

    func next() async throws(NetError) -> Bytes? {
        while true {
            if let decoded = try decodeSome() { return decoded }
            guard let chunk = try await body.next() else {
                try attempt { state throws(CodingFailure) in
                    if !state.hasFailed { try state.decoder.finish() }
                }
                return nil
            }
            state.withLock { state in
                state.pending = chunk
                state.guardian.received += Int64(chunk.count)
            }
        }
    }

    /// Decodes the next piece of the received bytes; nil if more input is needed.
    private func decodeSome() throws(NetError) -> Bytes? {
        let (decoded, isTooLarge) = try attempt { state throws(CodingFailure) -> (Bytes?, Bool) in
            let decoded = try state.decoder.piece(of: &state.pending)
            state.guardian.decoded += Int64(decoded?.count ?? 0)
            return (decoded, state.guardian.isExceeded)
        }
        if isTooLarge {
            cancel()
            throw state.withLock { $0.guardian.error }
        }
        return decoded
    }

    private func attempt<Value: Sendable>(
        _ work: (inout State) throws(CodingFailure) -> Value
    ) throws(NetError) -> Value {
        let result = state.withLock { state -> Result<Value, CodingFailure> in
            do throws(CodingFailure) {
                return .success(try work(&state))
            } catch {
                state.hasFailed = true
                state.pending = Bytes()
                return .failure(error)
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let failure):
            cancel()
            throw failure.error(coding)
        }
    }
}
