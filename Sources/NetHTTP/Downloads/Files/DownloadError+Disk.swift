internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension DownloadError {
    /// Creates the error of a failed file call. `action` completes "cannot …", such as `write the file "x"`.
    init(_ failure: DiskFailure, _ action: String) {
        let reason = strerror(failure.number).map { String(cString: $0) } ?? "error \(failure.number)"
        let code: Code
        let advice: String
        switch failure.number {
        case ENOSPC: (code, advice) = (.insufficientDiskSpace, "free some space, then resume")
        case EDQUOT: (code, advice) = (.insufficientDiskSpace, "free some space in the quota, then resume")
        case EEXIST: (code, advice) = (.fileExists, "remove it, or choose another name")
        case EROFS: (code, advice) = (.fileSystem, "the disk is read-only; remount it, then resume")
        case EACCES, EPERM: (code, advice) = (.fileSystem, "allow this program to write there, then resume")
        case ELOOP, ENOTDIR: (code, advice) = (.fileSystem, "links aren't followed there; remove it, then resume")
        case EIO: (code, advice) = (.fileSystem, "check the disk, then resume")
        case EMFILE, ENFILE: (code, advice) = (.fileSystem, "raise the limit of open files, then resume")
        case EFBIG: (code, advice) = (.fileSystem, "the file system or a limit allows no file that large")
        default: (code, advice) = (.fileSystem, "check the folder, then resume")
        }
        self.init(code, message: "cannot \(action): \(reason); \(advice)", systemError: failure.number)
    }
}

/// Runs file calls, and converts their failure to an error; `action` completes "cannot …".
func onDisk<Value>(
    _ action: @autoclosure () -> String, _ body: () throws(DiskFailure) -> Value
) throws(DownloadError) -> Value {
    do {
        return try body()
    } catch {
        throw DownloadError(error, action())
    }
}
