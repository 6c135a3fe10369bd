internal import NetCore
internal import Synchronization

/// A request body that consists of a range of a file, read in pieces on a manager's threads.
final class UploadBody: BodySource {
    /// The number of bytes in one read.
    static let pieceBytes = 1 << 20

    private let source: UploadSource
    private let end: Int64
    private let threads: DownloadThreads
    private let limit: BandwidthLimit?
    private let sent: @Sendable (Int64) -> Void
    private let offset: Mutex<Int64>

    /// Creates a body.
    ///
    /// - Parameter sent: Called with the offset up to which the transport has consumed the bytes.
    init(
        _ source: UploadSource, _ range: Range<Int64>, threads: DownloadThreads, limit: BandwidthLimit?,
        sent: @escaping @Sendable (Int64) -> Void
    ) {
        self.source = source
        self.threads = threads
        self.limit = limit
        self.sent = sent
        end = range.upperBound
        offset = Mutex(range.lowerBound)
    }

    func next() async throws(NetError) -> Bytes? {
        let start = offset.withLock { $0 }
        // The previous piece has been consumed.
        sent(start)
        guard start < end else { return nil }
        let count = Int(min(end - start, Int64(Self.pieceBytes)))
        if let limit {
            do { try await limit.wait(for: count) } catch { throw cancelled }
        }
        guard !Task.isCancelled else { throw cancelled }
        let piece = try await threads.threads.run { [source] () throws(NetError) in
            try source.read(at: start, count: count)
        }
        offset.withLock { $0 = start + Int64(count) }
        return piece
    }

    func cancel() { offset.withLock { $0 = end } }

    private var cancelled: NetError {
        NetError(.cancelled, phase: .sending, message: "the upload was paused or cancelled")
    }
}
