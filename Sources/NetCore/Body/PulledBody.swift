internal import Synchronization

/// Reads a body chunk by chunk, with a new iterator each time; a buffered body is returned once.
package final class PulledBody: Sendable {
    package let body: ResponseBody
    private let isRead = Mutex(false)

    package init(_ body: ResponseBody) { self.body = body }

    package func next() async throws(NetError) -> Bytes? {
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
