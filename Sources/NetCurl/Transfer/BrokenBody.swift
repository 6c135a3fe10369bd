#if os(Linux)
internal import NetCore

/// The body of a response whose head is worth having without it: whoever reads it hears what became of it.
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
