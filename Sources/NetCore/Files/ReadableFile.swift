#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A regular file that is open for reading and closed with its last reference. Its functions block.
package final class ReadableFile: Sendable {
    private let descriptor: CInt
    private let path: String
    /// The size when the file was opened, in bytes.
    package let length: Int64

    /// Opens a file. Throws `.encoding` if it's missing, unreadable or not a regular file.
    package init(path: String) throws(NetError) {
        guard !path.utf8.contains(0) else { throw Self.truncated(path) }
        // A FIFO would block here until another process opens it for writing.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw Self.failure(path, number)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Self.irregular(path)
        }
        self.descriptor = descriptor
        self.path = path
        length = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Returns up to `count` bytes from an offset; fewer only at the end of the file, none beyond it.
    package func read(at offset: Int64, count: Int) throws(NetError) -> Bytes {
        let storage = ByteStorage(capacity: count)
        var filled = 0
        while filled < count {
            let result = pread(descriptor, storage.base + filled, count - filled, off_t(offset) + off_t(filled))
            if result == 0 { break }
            if result < 0 {
                if errno == EINTR { continue }
                throw Self.failure(path, errno)
            }
            filled += result
        }
        return Bytes(storage: storage, count: filled)
    }

    /// Returns the current version of the open file, whatever its path refers to by now.
    package func version() throws(NetError) -> FileVersion {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return FileVersion(
            length: Int64(status.st_size), modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec),
            number: UInt64(status.st_ino))
    }

    /// Returns the size of a regular file in bytes. The system call can block on a network file system that doesn't
    /// respond.
    ///
    /// A file of size zero is opened, since files of `/proc` report that size without being empty; throws `.encoding`
    /// for them.
    package static func length(path: String) throws(NetError) -> Int64 {
        guard !path.utf8.contains(0) else { throw truncated(path) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw irregular(path) }
        if status.st_size == 0 {
            let file = try ReadableFile(path: path)
            // It may have grown in the meantime.
            if file.length > 0 { return file.length }
            guard try file.read(at: 0, count: 1).isEmpty else { throw irregular(path) }
            return 0
        }
        return Int64(status.st_size)
    }

    private static func failure(_ path: String, _ number: CInt) -> NetError {
        NetError(
            .encoding, phase: .preparing,
            message:
                "the file \"\(path)\" cannot be read: \(strerror(number).map { String(cString: $0) } ?? "\(number)")")
    }

    /// The error for a path with a NUL: the system would read the path only up to the NUL, and open another file.
    private static func truncated(_ path: String) -> NetError {
        let shown = path.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\\0")
        return NetError(
            .encoding, phase: .preparing, message: "the path \"\(shown)\" contains a NUL character, which a path can't")
    }

    private static func irregular(_ path: String) -> NetError {
        NetError(
            .encoding, phase: .preparing,
            message: "\"\(path)\" isn't a regular file, so its length is unknown; send it as a stream")
    }
}
