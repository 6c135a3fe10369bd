#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore

/// The consumer's end of a streamed body. Releasing its last reference ends the task.
final class URLSessionBody: BodySource {
    private let exchange: URLSessionExchange

    init(_ exchange: URLSessionExchange) {
        self.exchange = exchange
    }

    deinit { exchange.drop() }

    var metrics: TransferMetrics? { exchange.metrics }

    func next() async throws(NetError) -> Bytes? { try await exchange.next() }

    func cancel() { exchange.drop() }
}
#endif
