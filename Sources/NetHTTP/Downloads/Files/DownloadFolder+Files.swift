internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension DownloadFolder {
    /// The maximum number of retired journal files that are kept for reuse.
    private static let maximumSpares = 32

    private static func spare(_ number: Int) -> String { "spare-\(number)" }

    /// Creates the file of a new journal, from a spare file if available.
    func makeJournal(_ id: UUID) throws(DownloadError) -> DiskFile {
        let name = Self.journal(id)
        return try onDisk("create the journal of a download in \"\(path)\"") { () throws(DiskFailure) in
            if let number = spares.withLock({ $0.popLast() }), takeSpare(number, as: name) {
                return DiskFile(
                    try disk.openFile(name, in: hidden.descriptor, as: .existing, mode: 0o600), of: disk)
            }
            return DiskFile(try disk.openFile(name, in: hidden.descriptor, as: .new, mode: 0o600), of: disk)
        }
    }

    /// Removes the spare files; those that can't be removed are deleted when the folder is opened again.
    func removeSpares() {
        let numbers = spares.withLock { numbers in
            defer { numbers = [] }
            return numbers
        }
        for number in numbers { try? disk.remove(Self.spare(number), in: hidden.descriptor) }
    }

    private func takeSpare(_ number: Int, as name: String) -> Bool {
        do throws(DiskFailure) {
            try disk.move(
                Self.spare(number), in: hidden.descriptor, to: name, in: hidden.descriptor, isReplacing: false)
            return true
        } catch {
            return false
        }
    }

    func openJournal(_ id: UUID) throws(DownloadError) -> DownloadJournal {
        do throws(DiskFailure) {
            let name = Self.journal(id)
            let file = DiskFile(
                try disk.openFile(name, in: hidden.descriptor, as: .existing, mode: 0o600), of: disk)
            return DownloadJournal(file, of: id)
        } catch {
            guard error.number == ENOENT else {
                throw DownloadError(error, "open the journal of the download in \"\(path)\"")
            }
            throw DownloadError(
                .taskNotFound, message: "\"\(path)\" has no journal of the download \(id.uuidString.lowercased())")
        }
    }

    /// Retires the journal of a complete file. Its file is emptied and kept for reuse, because file systems are slow
    /// to create a file just after others were removed.
    func retireJournal(_ id: UUID, _ journal: DownloadJournal) throws(DownloadError) {
        let number = nextSpare.wrappingAdd(1, ordering: .relaxed).oldValue
        guard spares.withLock({ $0.count }) < Self.maximumSpares else { return try removeJournal(id) }
        try onDisk("remove the journal of a download in \"\(path)\"") { () throws(DiskFailure) in
            try disk.move(
                Self.journal(id), in: hidden.descriptor, to: Self.spare(number), in: hidden.descriptor,
                isReplacing: true)
            try journal.empty()
        }
        spares.withLock { $0.append(number) }
    }

    /// Opens a part file; nil if there is none. Removes an entry that isn't a valid part file: a link, or an
    /// additional name of a file, whose bytes would be overwritten.
    func openPart(_ id: UUID) throws(DownloadError) -> (file: DiskFile, length: Int64)? {
        do throws(DiskFailure) {
            let name = Self.part(id)
            guard let status = try disk.status(of: name, in: hidden.descriptor) else { return nil }
            guard status.isRegular, status.links == 1 else {
                try disk.remove(name, in: hidden.descriptor)
                return nil
            }
            let descriptor = try disk.openFile(name, in: hidden.descriptor, as: .existing, mode: 0o666)
            let file = DiskFile(descriptor, of: disk)
            // A link that was created in between isn't opened, and any other file that was created in between isn't
            // used.
            let opened = try disk.status(of: descriptor)
            guard opened.isRegular, opened.number == status.number else { throw DiskFailure(ELOOP) }
            return (file, opened.length)
        } catch {
            // The file was moved to its final place in between.
            if error.number == ENOENT { return nil }
            throw DownloadError(error, "open the file of the download in \"\(path)\"")
        }
    }

    /// Creates an empty part file, or reuses one whose bytes don't count. The folder's permissions protect it from
    /// other users; its own are those of any new file, for when it's complete.
    func makePart(_ id: UUID) throws(DownloadError) -> (file: DiskFile, isNew: Bool) {
        do throws(DiskFailure) {
            let descriptor = try disk.openFile(Self.part(id), in: hidden.descriptor, as: .new, mode: 0o666)
            return (DiskFile(descriptor, of: disk), true)
        } catch {
            if error.number == EEXIST, let found = try openPart(id) { return (found.file, false) }
            guard error.number == EEXIST else {
                throw DownloadError(error, "create the file of the download in \"\(path)\"")
            }
            return try makePart(id)
        }
    }

    /// Creates an empty file for the decoded form of a part file.
    func makeDecoded(_ id: UUID) throws(DownloadError) -> DiskFile {
        try removeIfThere(Self.decoded(id))
        return try onDisk("create the decoded file of the download in \"\(path)\"") { () throws(DiskFailure) in
            DiskFile(try disk.openFile(Self.decoded(id), in: hidden.descriptor, as: .new, mode: 0o666), of: disk)
        }
    }

    /// Moves a file of the hidden folder to its final place; returns the failure, if any.
    func move(_ name: String, to target: String, in folder: DiskFile, _ placing: FilePlacing) -> DiskFailure? {
        do throws(DiskFailure) {
            try disk.move(
                name, in: hidden.descriptor, to: target, in: folder.descriptor, isReplacing: placing == .replace)
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

    func removeJournal(_ id: UUID) throws(DownloadError) { try removeIfThere(Self.journal(id)) }

    func removeIfThere(_ name: String) throws(DownloadError) {
        do throws(DiskFailure) {
            try disk.remove(name, in: hidden.descriptor)
        } catch {
            if error.number != ENOENT { throw DownloadError(error, "remove the file of a download in \"\(path)\"") }
        }
    }
}
