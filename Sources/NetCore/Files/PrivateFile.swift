#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension NetError.Code {
    /// A file couldn't be read or written.
    public static let file = NetError.Code(rawValue: "file")
}

/// Small files that only their owner may read, such as cookies. The functions block.
package enum PrivateFile {
    /// Returns the whole file; nil if there is none. Throws `.file`, also if it's larger than `limit` bytes.
    package static func contents(of path: String, upTo limit: Int) throws(NetError) -> Bytes? {
        // A FIFO would block here until another process opens it for writing.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot be read", path)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw NetError(.file, phase: .preparing, message: "\"\(path)\" isn't a regular file")
        }
        // Growing step by step took 0.3 s for 100 MB.
        let size = Int(clamping: max(0, min(Int64(status.st_size), Int64(limit))))
        var bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = read(descriptor, buffer.baseAddress.map { $0 + filled }, size - filled)
                guard count > 0 else { break }
                filled += count
            }
        }
        // The rest of a file that has grown, or the error.
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return Bytes(bytes) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot be read", path) }
            bytes += buffer[..<count]
            if bytes.count > limit {
                throw NetError(
                    .file, phase: .preparing,
                    message: "the file \"\(path)\" has more than \(limit) bytes; is it the right one?")
            }
        }
    }

    /// Replaces a file atomically: readers see either the old or the new contents in full, even after a crash. Only the
    /// owner may read it.
    package static func replace(_ path: String, with bytes: Bytes) throws(NetError) {
        let draft = try FileDraft(of: path, mode: 0o600, phase: .preparing)
        do throws(NetError) {
            try draft.append(bytes)
            try draft.commit(isSynced: true)
        } catch {
            draft.discard()
            throw error
        }
    }

    private static func failure(_ what: String, _ path: String) -> NetError {
        FileDraft.failure(what, path, .preparing)
    }
}
