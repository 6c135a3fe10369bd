internal import Synchronization

extension ResponseBody {
    /// Reads at most `limit` bytes and ends the transfer there; used for the text of an error. If the transfer fails
    /// midway, returns the bytes before that; only `.cancelled` is thrown.
    package func beginning(upTo limit: Int) async throws(NetError) -> (bytes: Bytes, isWhole: Bool) {
        let limit = Swift.max(0, limit)
        if let whole { return whole.count <= limit ? (whole, true) : (whole[0..<limit], false) }
        var chunks: [Bytes] = []
        var count = 0
        var isWhole = false
        var iterator = makeAsyncIterator()
        do throws(NetError) {
            // Reading one byte more than is kept shows whether there is more.
            while count <= limit {
                guard let chunk = try await iterator.next() else {
                    isWhole = true
                    break
                }
                chunks.append(chunk)
                count += chunk.count
            }
        } catch {
            guard !error.isCancellation else { throw error }
        }
        if count > limit { cancel() }
        let joined = chunks.isEmpty ? Bytes() : Bytes.join(chunks, count: count)
        return count <= limit ? (joined, isWhole) : (joined[0..<limit], false)
    }

    /// Returns the bytes of ``beginning(upTo:)``; none if it throws.
    package func prefix(upTo limit: Int) async -> Bytes {
        (try? await beginning(upTo: limit))?.bytes ?? Bytes()
    }

    /// Reads to the end without keeping anything. Returns the number of bytes, including those that a transport has
    /// already dropped.
    package func drain() async throws(NetError) -> Int64 {
        if let whole { return Int64(whole.count) }
        var count: Int64 = 0
        var iterator = makeAsyncIterator()
        do throws(NetError) {
            while let chunk = try await iterator.next() { count += Int64(chunk.count) }
        } catch {
            guard let dropped = error.underlying as? DroppedBytes else { throw error }
            return dropped.total
        }
        return count
    }

    /// Reads to the end. Returns a body of the first bytes, at most `limit`.
    package func drained(keeping limit: Int) async throws(NetError) -> ResponseBody {
        var kept: [Bytes] = []
        var (count, total) = (0, Int64(0))
        var iterator = makeAsyncIterator()
        while let chunk = try await iterator.next() {
            total += Int64(chunk.count)
            let room = Swift.min(chunk.count, limit - count)
            if room > 0 { kept.append(chunk[0..<room]) }
            count += room
        }
        let bytes = kept.isEmpty ? Bytes() : Bytes.join(kept, count: count)
        return total == Int64(count)
            ? ResponseBody(bytes, metrics: metrics, trailers: trailers)
            : ResponseBody(keeping: bytes, of: total, metrics: metrics)
    }

    /// Creates a body that has ended and of which only the first bytes were kept; reading beyond them throws
    /// `.bodyTooLarge`.
    package init(keeping bytes: Bytes, of total: Int64, metrics: TransferMetrics?) {
        self.init(source: CutBodySource(bytes, total: total, metrics: metrics))
    }

    /// The kept bytes and the original size of a truncated body; nil for any other body.
    package var cut: (bytes: Bytes, total: Int64)? {
        guard case .source(let source) = content, let source = source as? CutBodySource else { return nil }
        return (source.bytes, source.total)
    }
}

/// The original size of a truncated body, as an underlying error for the code that wraps the body.
private struct DroppedBytes: Error {
    let total: Int64
}

/// A source that returns the kept bytes and then throws `.bodyTooLarge`.
private final class CutBodySource: BodySource {
    let total: Int64
    let metrics: TransferMetrics?
    let bytes: Bytes
    private let isRead: Mutex<Bool>

    init(_ bytes: Bytes, total: Int64, metrics: TransferMetrics?) {
        self.total = total
        self.metrics = metrics
        self.bytes = bytes
        isRead = Mutex(bytes.isEmpty)
    }

    func next() async throws(NetError) -> Bytes? {
        let wasRead = isRead.withLock { isRead in
            defer { isRead = true }
            return isRead
        }
        if !wasRead { return bytes }
        throw NetError(
            .bodyTooLarge, phase: .receiving,
            message:
                "only the first \(bytes.count) of \(total) bytes of the body were kept, because the request discards it",
            underlying: DroppedBytes(total: total))
    }

    func cancel() { isRead.withLock { $0 = true } }
}
