internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file descriptor on a disk, closed with its last reference.
final class DiskFile: Sendable {
    let disk: any DownloadDisk
    let descriptor: CInt

    init(_ descriptor: CInt, of disk: any DownloadDisk) { (self.descriptor, self.disk) = (descriptor, disk) }

    deinit { disk.close(descriptor) }

    /// Writes all bytes; `written` is the number of bytes written, even if an error is thrown.
    func write(_ bytes: Bytes, at offset: Int64, written: inout Int) throws(DiskFailure) {
        try bytes.withUnsafeBytes { source throws(DiskFailure) in
            while written < source.count {
                let rest = UnsafeRawBufferPointer(rebasing: source[written...])
                let count = try disk.write(rest, to: descriptor, at: offset + Int64(written))
                // The disk wrote nothing, but reported no error.
                guard count > 0 else { throw DiskFailure(EIO) }
                written += count
            }
        }
    }

    func write(_ bytes: Bytes, at offset: Int64) throws(DiskFailure) {
        var written = 0
        try write(bytes, at: offset, written: &written)
    }

    /// Reads up to `count` bytes; fewer only at the end of the file.
    func read(at offset: Int64, count: Int) throws(DiskFailure) -> Bytes {
        let storage = ByteStorage(capacity: count)
        var filled = 0
        while filled < count {
            let target = UnsafeMutableRawBufferPointer(start: storage.base + filled, count: count - filled)
            let got = try disk.read(into: target, from: descriptor, at: offset + Int64(filled))
            if got == 0 { break }
            filled += got
        }
        return Bytes(storage: storage, count: filled)
    }
}
