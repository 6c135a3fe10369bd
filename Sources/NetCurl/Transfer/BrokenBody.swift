#if os(Linux)
internal import NetCore
internal import Synchronization

/// The body of a response whose head is useful although its body failed: the bytes that arrived, and then the error.
final class BrokenBody: BodySource {
    let metrics: TransferMetrics?
    private let error: NetError
    private let bytes: Mutex<Bytes?>

    init(_ bytes: Bytes, _ error: NetError, _ metrics: TransferMetrics) {
        self.bytes = Mutex(bytes.isEmpty ? nil : bytes)
        self.error = error
        self.metrics = metrics
    }

    func next() throws(NetError) -> Bytes? {
        if let bytes = bytes.withLock({ $0.take() }) { return bytes }
        throw error
    }

    func cancel() {}
}
#endif
