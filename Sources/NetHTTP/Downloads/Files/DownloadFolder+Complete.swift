internal import NetCore
internal import NetCrypto

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The complete files of a folder.
extension DownloadFolder {
    /// Returns the status of a complete file; nil if there is no such file, or if it's a link or a folder.
    func status(named name: String, in subfolder: String) throws(DownloadError) -> DiskStatus? {
        do throws(DiskFailure) {
            let folder = try openSubfolder(subfolder, making: nil)
            guard let status = try disk.status(of: name, in: folder.descriptor), status.isRegular else { return nil }
            return status
        } catch {
            if error.number == ENOENT { return nil }
            throw DownloadError(error, "find the file \"\(path(named: name, in: subfolder))\"")
        }
    }

    /// Returns true if a file is still as it was when it became known.
    func isUnchanged(_ known: KnownFile) throws(DownloadError) -> Bool {
        try status(named: known.name, in: known.folder) == known.status
    }

    /// Remembers a file that was just completed. Without a record, the file is loaded again where it needn't be.
    ///
    /// - Parameter number: The number of the file on its disk: another program may have replaced it in the meantime.
    func remember(
        _ name: String, in subfolder: String, from url: String, version: DownloadVersion?, number: UInt64
    ) {
        guard let status = try? status(named: name, in: subfolder), status.number == number,
            let file = KnownFile(url: url, folder: subfolder, name: name, version: version, status: status)
        else { return }
        try? known.add(file)
    }

    /// Returns the digest of a complete file; nil if there is no such file, it can't be read, or it changes meanwhile.
    ///
    /// - Parameter isCancelled: Asked after each piece; true ends with nil.
    func digest(
        _ algorithm: DigestAlgorithm, named name: String, in subfolder: String, isCancelled: () -> Bool
    ) throws(DownloadError) -> Bytes? {
        guard let status = try status(named: name, in: subfolder) else { return nil }
        do throws(DiskFailure) {
            let folder = try openSubfolder(subfolder, making: nil)
            let file = DiskFile(try disk.openFile(name, in: folder.descriptor, as: .reading, mode: 0), of: disk)
            var hashes = BodyHashes([algorithm])
            var position: Int64 = 0
            while position < status.length, !isCancelled() {
                let bytes = try file.read(at: position, count: Int(min(1 << 20, status.length - position)))
                guard !bytes.isEmpty else { return nil }
                hashes.update(bytes)
                position += Int64(bytes.count)
            }
            guard !isCancelled(), try disk.status(of: file.descriptor) == status else { return nil }
            return hashes.finish()[algorithm]
        } catch {
            return nil
        }
    }
}
