internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension DownloadFolder {
    func openJournal(_ name: String) throws(DownloadError) -> DownloadJournal {
        do throws(DiskFailure) {
            let descriptor = try disk.openFile(name + ".journal", in: hidden.descriptor, as: .existing, mode: 0o600)
            let file = DiskFile(descriptor, of: disk)
            guard try disk.status(of: descriptor).isRegular else { throw DiskFailure(ELOOP) }
            return DownloadJournal(file)
        } catch {
            guard error.number == ENOENT else {
                throw DownloadError(error, "open the journal of the download in \"\(path)\"")
            }
            throw DownloadError(.taskNotFound, message: "\"\(path)\" has no journal of the download \(name)")
        }
    }

    /// Opens a part file; nil if there is none. Removes what isn't one: a link, or another name of a file, whose bytes
    /// would be written over.
    func openPart(_ name: String) throws(DownloadError) -> (file: DiskFile, length: Int64)? {
        try onDisk("open the file of the download in \"\(path)\"") { () throws(DiskFailure) in
            let part = name + ".part"
            guard let status = try disk.status(of: part, in: hidden.descriptor) else { return nil }
            guard status.isRegular, status.links == 1 else {
                try disk.remove(part, in: hidden.descriptor)
                return nil
            }
            let descriptor = try disk.openFile(part, in: hidden.descriptor, as: .existing, mode: 0o666)
            let file = DiskFile(descriptor, of: disk)
            // A link that was put there in between isn't opened; neither is used what else was.
            let opened = try disk.status(of: descriptor)
            guard opened.isRegular, opened.number == status.number else { throw DiskFailure(ELOOP) }
            return (file, opened.length)
        }
    }

    /// Makes a part file. The folder keeps others from it; complete, it has the permissions of any new file.
    func makePart(_ name: String) throws(DownloadError) -> DiskFile {
        try onDisk("make the file of the download in \"\(path)\"") { () throws(DiskFailure) in
            DiskFile(try disk.openFile(name + ".part", in: hidden.descriptor, as: .new, mode: 0o666), of: disk)
        }
    }

    /// Moves a part file to its place; returns the failure.
    func movePart(_ name: String, to target: String, in folder: DiskFile, _ placing: FilePlacing) -> DiskFailure? {
        do throws(DiskFailure) {
            try disk.move(
                name + ".part", in: hidden.descriptor, to: target, in: folder.descriptor,
                isReplacing: placing == .replace)
            return nil
        } catch {
            return error
        }
    }

    func flushNames() throws(DownloadError) {
        try onDisk("flush the folder \"\(path)\"") { () throws(DiskFailure) in
            try disk.flushFolder(hidden.descriptor)
        }
    }

    /// Removes the journal first: a part file without one is removed later, a journal without one would begin again.
    func remove(_ name: String) throws(DownloadError) {
        try removeJournal(name)
        try removeIfThere(name + ".part")
    }

    func removeJournal(_ name: String) throws(DownloadError) { try removeIfThere(name + ".journal") }

    func removeIfThere(_ name: String) throws(DownloadError) {
        do throws(DiskFailure) {
            try disk.remove(name, in: hidden.descriptor)
        } catch {
            if error.number != ENOENT { throw DownloadError(error, "remove the file of a download in \"\(path)\"") }
        }
    }
}
