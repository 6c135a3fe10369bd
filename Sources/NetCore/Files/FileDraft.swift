#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that is written next to its destination and replaces it when it's complete: readers see either the old or
/// the new contents in full. The functions block, and must be called one at a time.
package struct FileDraft: Sendable {
    private let path: String
    private let draft: String
    private let descriptor: CInt
    private let phase: NetError.Phase

    /// Creates the draft; throws `.file` if it can't be created, such as in a missing folder.
    init(of path: String, mode: mode_t = 0o666, phase: NetError.Phase = .receiving) throws(NetError) {
        (self.path, self.phase) = (path, phase)
        draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Self.failure("cannot be written", path, phase) }
    }

    /// Creates the draft of a file that only its owner may read.
    package static func ofPrivateFile(_ path: String) throws(NetError) -> FileDraft {
        try FileDraft(of: path, mode: 0o600, phase: .preparing)
    }

    /// Appends bytes; throws `.file` if they can't be written, such as on a full disk.
    package func append(_ bytes: Bytes) throws(NetError) {
        let isWritten = bytes.withUnsafeBytes { all in
            var done = 0
            while done < all.count {
                let count = write(descriptor, all.baseAddress.map { $0 + done }, all.count - done)
                if count > 0 { done += count } else if errno != EINTR { return false }
            }
            return true
        }
        guard isWritten else { throw Self.failure("cannot be written", path, phase) }
    }

    /// Replaces the destination with the draft. With `isSynced`, the new contents also survive a crash of the machine.
    package func commit(isSynced: Bool = false) throws(NetError) {
        // Some file systems report that a write has failed only when a descriptor is closed. A copy is closed, so that
        // `discard` closes the descriptor exactly once.
        guard !isSynced || fsync(descriptor) == 0, case let copy = dup(descriptor), copy >= 0, close(copy) == 0,
            rename(draft, path) == 0
        else {
            throw Self.failure("cannot be written", path, phase)
        }
        close(descriptor)
    }

    /// Removes the draft after an error.
    package func discard() {
        close(descriptor)
        unlink(draft)
    }

    static func failure(_ what: String, _ path: String, _ phase: NetError.Phase) -> NetError {
        let number = errno
        let reason = strerror(number).map { String(cString: $0) } ?? "\(number)"
        return NetError(.file, phase: phase, message: "the file \"\(path)\" \(what): \(reason)")
    }
}
