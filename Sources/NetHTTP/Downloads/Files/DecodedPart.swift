internal import NetCore
internal import NetCrypto
internal import Synchronization

/// The decoded form of a complete part file, in a file beside it. If the process ends, it's made again.
///
/// Its functions block.
final class DecodedPart: Sendable {
    let file: DiskFile
    private let result: Mutex<Result>

    private struct Result {
        var length: Int64 = 0
        var digests: [DigestAlgorithm: Bytes] = [:]
    }

    /// The number of bytes that are read in one piece.
    private static let step: Int64 = 1 << 20

    /// Creates an empty file.
    init(of part: PartFile) throws(DownloadError) {
        file = try part.folder.makeDecoded(part.id)
        result = Mutex(Result())
    }

    /// The size in bytes.
    var length: Int64 { result.withLock { $0.length } }
    /// The digests of the algorithms passed to ``fill(from:_:_:check:)``.
    var digests: [DigestAlgorithm: Bytes] { result.withLock { $0.digests } }

    /// Decodes a complete part file.
    ///
    /// Throws `.network` with an underlying decoding error if the bytes aren't in the codings.
    ///
    /// - Parameters:
    ///   - codings: The codings in the order in which they were applied.
    ///   - algorithms: The digests to compute.
    ///   - check: Called with the number of decoded bytes after each piece; throws to stop.
    func fill(
        from part: PartFile, _ codings: [ContentCoding], _ algorithms: Set<DigestAlgorithm>,
        check: (_ decoded: Int64) throws(DownloadError) -> Void
    ) throws(DownloadError) {
        var hashes = algorithms.isEmpty ? nil : BodyHashes(algorithms)
        var length: Int64 = 0
        let end = part.received.end
        var position: Int64 = 0
        let chain = CodingChain(codings)
        while position < end {
            let bytes = try part.read(position..<min(position + Self.step, end))
            position += Int64(bytes.count)
            try chain.decode(bytes) { piece throws(DownloadError) in
                let offset = length
                try onDisk("write the decoded file of the download") { () throws(DiskFailure) in
                    try file.write(piece, at: offset)
                }
                hashes?.update(piece)
                length += Int64(piece.count)
                try check(length)
            }
        }
        try chain.finish()
        result.withLock { ($0.length, $0.digests) = (length, hashes?.finish() ?? [:]) }
    }

    /// Reads the first bytes.
    func beginning() throws(DownloadError) -> Bytes {
        try onDisk("read the decoded file of the download") { () throws(DiskFailure) in
            try file.read(at: 0, count: Int(min(length, Int64(MediaType.sniffedBytes))))
        }
    }

    /// Decodes the first bytes of a body as far as possible; at most 64 KiB.
    static func beginning(of bytes: Bytes, _ codings: [ContentCoding]) -> Bytes {
        var decoded: Bytes?
        // The end of the input is missing, which isn't an error here.
        try? CodingChain(codings).decode(bytes) { piece throws(DownloadError) in
            decoded = decoded ?? piece
            throw DownloadError(.cancelled, message: "the first piece is enough")
        }
        return decoded ?? Bytes()
    }
}
