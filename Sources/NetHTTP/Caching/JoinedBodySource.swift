internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// Pulls a body chunk by chunk from several iterators: one that is whole is handed out once.
final class PulledBody: Sendable {
    let body: ResponseBody
    private let isRead = Mutex(false)

    init(_ body: ResponseBody) { self.body = body }

    func next() async throws(NetError) -> Bytes? {
        if let whole = body.whole {
            let wasRead = isRead.withLock { isRead in
                defer { isRead = true }
                return isRead
            }
            return wasRead || whole.isEmpty ? nil : whole
        }
        var iterator = body.makeAsyncIterator()
        return try await iterator.next()
    }
}

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
