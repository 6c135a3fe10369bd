internal import NetCore
internal import NetCrypto
internal import Synchronization

/// The properties that identify an upload's file after a pause: the version, and the SHA-256 digest of both ends.
///
/// The digest detects a file that was rewritten and whose modification time was restored. Hashing the whole file
/// would take as long as sending it.
struct UploadFingerprint: Sendable, Hashable, Codable {
    var version: FileVersion
    /// In hexadecimal.
    var ends: String

    /// The number of bytes at each end.
    static let endBytes = 64 << 10
}

/// The file of an upload, open for reading. Its functions block.
final class UploadSource: Sendable {
    let path: String
    let fingerprint: UploadFingerprint
    private let file: ReadableFile
    private let changed = Atomic<Bool>(false)

    /// Opens the file. Throws `.fileSystem` if it is missing, unreadable or not a regular file.
    init(path: String) throws(DownloadError) {
        self.path = path
        do throws(NetError) {
            file = try ReadableFile(path: path)
            let version = try file.version()
            let end = max(0, version.length - Int64(UploadFingerprint.endBytes))
            let ends =
                try file.read(at: 0, count: UploadFingerprint.endBytes)
                + file.read(at: end, count: UploadFingerprint.endBytes)
            guard let digest = RunningHash.digest(of: ends, .sha256) else {
                throw NetError(.encoding, phase: .preparing, message: "the system's libcrypto forbids SHA-256")
            }
            fingerprint = UploadFingerprint(version: version, ends: digest.hexadecimal)
        } catch {
            throw DownloadError(.fileSystem, message: "\(error.message); check the path, then retry", underlying: error)
        }
    }

    /// The size in bytes.
    var length: Int64 { fingerprint.version.length }

    /// True if a read detected that the file was changed.
    var isChanged: Bool { changed.load(ordering: .acquiring) }

    /// Reads exactly `count` bytes. Throws `.encoding` if the file has been changed since it was opened.
    ///
    /// The version is compared after each read, so a body never mixes bytes of two versions.
    func read(at offset: Int64, count: Int) throws(NetError) -> Bytes {
        let piece = try file.read(at: offset, count: count)
        guard piece.count == count, try file.version() == fingerprint.version else {
            changed.store(true, ordering: .releasing)
            throw NetError(
                .encoding, phase: .sending, message: "the file \"\(path)\" was changed while it was being sent")
        }
        return piece
    }

    /// Returns the digest of a range. Throws `.encoding` if the file has been changed, or if the system forbids the
    /// hash function.
    func digest(of range: Range<Int64>, _ function: HashFunction) throws(NetError) -> Bytes {
        guard var hash = RunningHash(function) else {
            throw NetError(
                .encoding, phase: .preparing, message: "the system's libcrypto forbids the hash of the upload's digest")
        }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece = try read(at: offset, count: Int(min(range.upperBound - offset, Int64(UploadBody.pieceBytes))))
            hash.update(piece)
            offset += Int64(piece.count)
        }
        return hash.finish()
    }
}
