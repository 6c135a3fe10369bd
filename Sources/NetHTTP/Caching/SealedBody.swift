internal import NetCore
internal import Synchronization

/// The body in a file written by a transform: pieces, each preceded by its length. Its functions block.
struct SealedBody: Sendable {
    /// The maximum number of body bytes in one piece.
    static let pieceBytes = 64 << 10
    /// The maximum number of bytes that a transform may return for a piece.
    private static let maximumSealedBytes: UInt64 = 1 << 20

    let file: DiskCacheFile
    private let transform: DiskCacheStore.Transform
    private var offset: Int64 = 0

    init(_ file: DiskCacheFile, _ transform: DiskCacheStore.Transform) {
        self.file = file
        self.transform = transform
    }

    /// Returns the written form of a piece; nil if the transform fails or its result is too long.
    static func frame(_ piece: Bytes, by transform: DiskCacheStore.Transform) -> Bytes? {
        guard let sealed = transform.seal(piece), sealed.count <= maximumSealedBytes else { return nil }
        var writer = CacheRecordWriter()
        writer.write(bytes: sealed)
        return Bytes(writer.bytes)
    }

    /// Reads the next piece; nil at the end, or if the file is damaged.
    mutating func next() -> Bytes? {
        guard let prefix = file.read(at: offset, count: 8) else { return nil }
        var reader = CacheRecordReader(prefix)
        guard let length = reader.number(), length <= Self.maximumSealedBytes,
            let sealed = file.read(at: offset + 8, count: Int(length))
        else { return nil }
        offset += 8 + Int64(length)
        return transform.open(sealed)
    }
}

/// A range of a sealed body, read piece by piece on a thread for files.
final class SealedBodySource: BodySource {
    private struct State {
        var body: SealedBody
        var skipped: Int64
        var left: Int64

        /// Returns the next bytes of the range, empty at its end; nil if they can't be read.
        mutating func next() -> Bytes? {
            while left > 0 {
                guard let piece = body.next(), !piece.isEmpty else { return nil }
                guard skipped < Int64(piece.count) else {
                    skipped -= Int64(piece.count)
                    continue
                }
                let start = Int(skipped)
                let count = Int(min(left, Int64(piece.count - start)))
                skipped = 0
                left -= Int64(count)
                return piece[start..<(start + count)]
            }
            return Bytes()
        }
    }

    private let state: Mutex<State>

    init(_ body: SealedBody, _ range: Range<Int64>) {
        state = Mutex(State(body: body, skipped: range.lowerBound, left: range.upperBound - range.lowerBound))
    }

    func next() async throws(NetError) -> Bytes? {
        guard !Task.isCancelled else {
            throw NetError(.cancelled, phase: .receiving, message: "the body was cancelled before its end")
        }
        return try await FileThreads.shared.run { [self] () throws(NetError) -> Bytes? in
            let piece = state.withLock { $0.next() }
            guard let piece else {
                throw NetError(.file, phase: .receiving, message: "the stored body cannot be read to its end")
            }
            return piece.isEmpty ? nil : piece
        }
    }

    func cancel() { state.withLock { $0.left = 0 } }
}
