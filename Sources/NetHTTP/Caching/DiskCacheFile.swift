internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file of a disk cache, closed with its last reference. Its functions block, and report failures without a reason:
/// a cache continues without the file.
final class DiskCacheFile: Sendable {
    let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    static func open(_ path: String) -> DiskCacheFile? { open(path, O_RDONLY | O_NONBLOCK) }

    /// Creates a file; fails if it exists.
    static func create(_ path: String) -> DiskCacheFile? { open(path, O_RDWR | O_CREAT | O_EXCL) }

    static func openOrCreate(_ path: String) -> DiskCacheFile? { open(path, O_RDWR | O_CREAT) }

    private static func open(_ path: String, _ flags: CInt) -> DiskCacheFile? {
        #if canImport(Darwin)
        let descriptor = Darwin.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        #elseif canImport(Musl)
        let descriptor = Musl.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        #else
        let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        #endif
        return descriptor >= 0 ? DiskCacheFile(descriptor) : nil
    }

    /// The size in bytes and the time of the last use in seconds; nil if it isn't a regular file.
    var status: (length: Int64, used: Int64)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        return (Int64(status.st_size), Int64(status.st_mtimespec.tv_sec))
        #else
        return (Int64(status.st_size), Int64(status.st_mtim.tv_sec))
        #endif
    }

    /// Sets the time of the last use to now.
    func touch() { _ = futimens(descriptor, nil) }

    /// Reads exactly `count` bytes at the offset; nil if that fails.
    func read(at offset: Int64, count: Int) -> Bytes? {
        let storage = ByteStorage(capacity: count)
        var filled = 0
        while filled < count {
            let result = pread(descriptor, storage.base + filled, count - filled, off_t(offset) + off_t(filled))
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return nil }
            filled += result
        }
        return Bytes(storage: storage, count: count)
    }

    func write(_ bytes: Bytes, at offset: Int64) -> Bool {
        bytes.withUnsafeBytes { source in
            var done = 0
            while done < source.count {
                let rest = UnsafeRawBufferPointer(rebasing: source[done...])
                let result = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                if result > 0 { done += result } else if result == 0 || errno != EINTR { return false }
            }
            return true
        }
    }

    func setLength(_ length: Int64) -> Bool { ftruncate(descriptor, off_t(length)) == 0 }

    /// Locks the file until the last reference or the process is gone; false if another holder has the lock.
    func lock() -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }
}
