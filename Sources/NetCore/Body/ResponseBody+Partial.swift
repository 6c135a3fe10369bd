internal import Synchronization

extension ResponseBody {
    /// Reads at most `limit` bytes and ends the transfer there: for the text of a failure. A body that breaks off leaves
    /// what came before; only `.cancelled` is thrown.
    package func beginning(upTo limit: Int) async throws(NetError) -> (bytes: Bytes, isWhole: Bool) {
        let limit = Swift.max(0, limit)
        if let whole { return whole.count <= limit ? (whole, true) : (whole[0..<limit], false) }
        var chunks: [Bytes] = []
        var count = 0
        var isWhole = false
        var iterator = makeAsyncIterator()
        do throws(NetError) {
            // One byte more than is kept tells whether there is more.
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

    /// As ``beginning(upTo:)``, where it does not matter how the body ends.
    package func prefix(upTo limit: Int) async -> Bytes {
        (try? await beginning(upTo: limit))?.bytes ?? Bytes()
    }

    /// Reads a short body to its end, which leaves its connection fit for another request; ends the transfer of a longer one.
    package func finishOrCancel() async {
        _ = await prefix(upTo: 64 << 10)
    }

    /// Reads to the end and keeps nothing; what a transport has dropped already counts as read. Returns the number of bytes.
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

    /// Reads to the end and keeps the first bytes, at most `limit`.
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

    /// A body that has ended, of which only the first bytes were kept: who reads on gets `.bodyTooLarge`.
    package init(keeping bytes: Bytes, of total: Int64, metrics: TransferMetrics?) {
        self.init(source: CutBodySource(bytes, total: total, metrics: metrics))
    }

    /// What was kept of a body that was cut, and how many bytes it had; nil for every other body.
    package var cut: (bytes: Bytes, total: Int64)? {
        guard case .source(let source) = content, let source = source as? CutBodySource else { return nil }
        return (source.bytes, source.total)
    }
}

/// Tells those who wrap a body that was cut how much there was.
private struct DroppedBytes: Error {
    let total: Int64
}

/// Hands out what was kept, then says that there was more.
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
