package import HTTPTypes
internal import Synchronization

/// A request body source that checks the declared length, for bodies that no transport measures because they're
/// encoded or sent in chunks.
package final class MeasuredBodySource: BodySource {
    private let body: any BodySource
    private let length: Int64
    private let count = Mutex<Int64>(0)

    private init(_ body: any BodySource, length: Int64) {
        self.body = body
        self.length = length
    }

    /// Returns the body with a check of its length; the body itself if its length is unknown.
    package static func measuring(_ body: any BodySource, _ length: Int64?) -> any BodySource {
        length.map { MeasuredBodySource(body, length: $0) } ?? body
    }

    package var trailers: HTTPFields? { body.trailers }

    package func next() async throws(NetError) -> Bytes? {
        let chunk = try await body.next()
        let sent = count.withLock { count in
            count += Int64(chunk?.count ?? 0)
            return count
        }
        if chunk == nil, sent < length { throw failure("ended after \(sent) of") }
        if sent > length {
            body.cancel()
            throw failure("is longer than")
        }
        return chunk
    }

    package func cancel() { body.cancel() }

    private func failure(_ what: String) -> NetError {
        NetError(.encoding, phase: .sending, message: "the request body \(what) its declared \(length) bytes")
    }
}
