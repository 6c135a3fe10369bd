#if canImport(Glibc)
internal import CFiles
internal import Glibc
#elseif canImport(Musl)
internal import CFiles
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension SystemDisk {
    package func status(of file: CInt) throws(DiskFailure) -> DiskStatus {
        var status = stat()
        _ = try result(fstat(file, &status))
        return DiskStatus(status)
    }

    package func status(of name: String, in folder: CInt) throws(DiskFailure) -> DiskStatus? {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw failure
        }
        return DiskStatus(status)
    }

    package func move(
        _ name: String, in folder: CInt, to target: String, in targetFolder: CInt, isReplacing: Bool
    ) throws(DiskFailure) {
        if isReplacing {
            _ = try result(renameat(folder, name, targetFolder, target))
            return
        }
        #if canImport(Darwin)
        let isMoved = renameatx_np(folder, name, targetFolder, target, UInt32(RENAME_EXCL)) == 0
        #else
        let isMoved = net_rename_new(folder, name, targetFolder, target) == 0
        #endif
        if isMoved { return }
        // A file system or an old kernel without that call. Creating a link never replaces a file either.
        guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else { throw failure }
        _ = try result(linkat(folder, name, targetFolder, target, 0))
        _ = try result(unlinkat(folder, name, 0))
    }

    package func names(in folder: CInt) throws(DiskFailure) -> [String] {
        let copy = try result(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard let stream = fdopendir(copy) else {
            let failure = failure
            close(copy)
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw failure }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }
}

extension DiskStatus {
    fileprivate init(_ status: stat) {
        #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
        }
        self.init(
            length: Int64(status.st_size), isRegular: status.st_mode & S_IFMT == S_IFREG,
            number: UInt64(status.st_ino), links: Int(status.st_nlink), modified: nanoseconds(modified),
            changed: nanoseconds(changed))
    }
}
