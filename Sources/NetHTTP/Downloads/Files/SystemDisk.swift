#if canImport(Glibc)
internal import CFiles
internal import Glibc
#elseif canImport(Musl)
internal import CFiles
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The disks of the machine.
package struct SystemDisk: DownloadDisk {
    package let bootID: String

    package init() { bootID = BootID.current }

    package func openFolder(path: String, isCreating: Bool) throws(DiskFailure) -> CInt {
        guard !path.utf8.contains(0) else { throw DiskFailure(EINVAL) }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let descriptor = open(path, flags)
        if descriptor >= 0 { return descriptor }
        guard errno == ENOENT, isCreating else { throw failure }
        let slash = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/"))
        if let slash, slash > path.startIndex {
            close(try openFolder(path: String(path[..<slash]), isCreating: true))
        }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure }
        return try result(open(path, flags))
    }

    package func openFolder(
        _ name: String, in folder: CInt, mode: UInt16?
    ) throws(DiskFailure) -> (folder: CInt, isNew: Bool) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
        let descriptor = openat(folder, name, flags)
        if descriptor >= 0 { return (descriptor, false) }
        guard errno == ENOENT, let mode else { throw failure }
        let isNew = mkdirat(folder, name, mode_t(mode)) == 0
        guard isNew || errno == EEXIST else { throw failure }
        return (try result(openat(folder, name, flags)), isNew)
    }

    package func openFile(
        _ name: String, in folder: CInt, as opening: DiskOpening, mode: UInt16
    ) throws(DiskFailure) -> CInt {
        let creating =
            switch opening {
            case .existing, .reading: CInt(0)
            case .new: O_CREAT | O_EXCL
            case .existingOrNew: O_CREAT
            }
        // A FIFO would block here until another process opens it.
        let access = opening == .reading ? O_RDONLY : O_RDWR
        return try result(
            openat(folder, name, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | creating, mode_t(mode)))
    }

    package func close(_ descriptor: CInt) {
        #if canImport(Darwin)
        Darwin.close(descriptor)
        #elseif canImport(Musl)
        Musl.close(descriptor)
        #else
        Glibc.close(descriptor)
        #endif
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: CInt, at offset: Int64
    ) throws(DiskFailure) -> Int {
        try repeating { pwrite(file, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    package func read(
        into bytes: UnsafeMutableRawBufferPointer, from file: CInt, at offset: Int64
    ) throws(DiskFailure) -> Int {
        try repeating { pread(file, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    package func setLength(_ length: Int64, of file: CInt) throws(DiskFailure) {
        _ = try repeating { Int(ftruncate(file, off_t(length))) }
    }

    package func flush(_ file: CInt) throws(DiskFailure) {
        #if canImport(Darwin)
        // `fsync` by itself leaves the bytes in the disk's own cache.
        if fcntl(file, F_FULLFSYNC) == 0 { return }
        _ = try repeating { Int(fsync(file)) }
        #else
        _ = try repeating { Int(fdatasync(file)) }
        #endif
    }

    package func flushFolder(_ folder: CInt) throws(DiskFailure) {
        guard fsync(folder) != 0 else { return }
        // Some file systems don't support this call for folders, and don't need it.
        if errno != EINVAL { throw failure }
    }

    package func lock(_ file: CInt) throws(DiskFailure) -> Bool {
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw failure }
        }
        return true
    }

    package func freeBytes(of folder: CInt) throws(DiskFailure) -> Int64 {
        try blocks(of: folder) { Int64(clamping: $0.f_bavail) }
    }

    package func totalBytes(of folder: CInt) throws(DiskFailure) -> Int64 {
        try blocks(of: folder) { Int64(clamping: $0.f_blocks) }
    }

    private func blocks(of folder: CInt, _ count: (statvfs) -> Int64) throws(DiskFailure) -> Int64 {
        var status = statvfs()
        _ = try repeating { Int(fstatvfs(folder, &status)) }
        let (bytes, isTooLarge) = count(status).multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        return isTooLarge ? .max : bytes
    }

    package func setModified(_ seconds: Int64, of file: CInt) throws(DiskFailure) {
        let time = timespec(tv_sec: time_t(seconds), tv_nsec: 0)
        let times = [time, time]
        _ = try result(futimens(file, times))
    }

    package func remove(_ name: String, in folder: CInt) throws(DiskFailure) {
        _ = try result(unlinkat(folder, name, 0))
    }

    func result(_ value: CInt) throws(DiskFailure) -> CInt {
        guard value >= 0 else { throw failure }
        return value
    }

    /// Repeats a call that was interrupted by a signal.
    private func repeating(_ call: () -> Int) throws(DiskFailure) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw failure }
        }
    }

    var failure: DiskFailure { DiskFailure(errno) }
}
