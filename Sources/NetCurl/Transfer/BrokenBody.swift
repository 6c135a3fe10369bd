#if os(Linux)
internal import NetCore

/// The failed body of a response whose head is still useful; reading it throws the error.
final class BrokenBody: BodySource {
    let metrics: TransferMetrics?
    private let error: NetError

    init(_ error: NetError, _ metrics: TransferMetrics) {
        self.error = error
        self.metrics = metrics
    }

    func next() throws(NetError) -> Bytes? { throw error }

    func cancel() {}
}
#endif
