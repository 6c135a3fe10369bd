internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// Two bodies as one: the second follows the first.
final class JoinedBodySource: BodySource {
    private let first, second: PulledBody
    private let isInSecond = Mutex(false)

    init(_ first: ResponseBody, _ second: ResponseBody) {
        self.first = PulledBody(first)
        self.second = PulledBody(second)
    }

    var metrics: TransferMetrics? { second.body.metrics }
    var trailers: HTTPFields? { second.body.trailers }

    func next() async throws(NetError) -> Bytes? {
        if !isInSecond.withLock({ $0 }) {
            if let chunk = try await first.next() { return chunk }
            isInSecond.withLock { $0 = true }
        }
        return try await second.next()
    }

    func cancel() {
        first.body.cancel()
        second.body.cancel()
    }
}
