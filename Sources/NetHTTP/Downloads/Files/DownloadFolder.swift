internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The folder of a manager. It contains the complete files; the others are in `.downloads` with their journals, which
/// only the owner may open. Only one manager can use a folder at a time.
///
/// Its functions block: call them on ``DownloadThreads``.
package final class DownloadFolder: Sendable {
    /// The name of the folder for incomplete files.
    static let hiddenName = ".downloads"

    /// The path, as passed.
    package let path: String
    let disk: any DownloadDisk
    private let top: DiskFile
    let hidden: DiskFile
    /// The locked file that keeps other managers out; nil once the folder is closed.
    private let lock: Mutex<DiskFile?>
    /// The numbers of the spare journal files.
    let spares = Mutex<[Int]>([])
    let nextSpare = Atomic(0)
    /// Held while an identity is being written.
    private let changing = Mutex(())
    /// The complete files.
    let known: KnownFiles
    /// The size of the disk.
    private let totalBytes: Int64

    private init(
        path: String, disk: any DownloadDisk, top: DiskFile, hidden: DiskFile, lock: DiskFile, totalBytes: Int64
    ) {
        (self.path, self.disk, self.top, self.hidden) = (path, disk, top, hidden)
        self.lock = Mutex(lock)
        self.totalBytes = totalBytes
        known = KnownFiles(hidden, of: disk)
    }

    /// Opens a folder, creates it if it's missing, and locks it.
    ///
    /// Throws `.folderInUse`, with the process in the message, if another manager uses it.
    ///
    /// - Parameter path: Nil for the user's folder for downloads.
    package static func open(
        _ path: String? = nil, disk: any DownloadDisk = SystemDisk()
    ) throws(DownloadError) -> DownloadFolder {
        let path = path ?? UserFolders.downloads
        let action = "open the folder \"\(path)\" for downloads"
        return try onDisk(action) { () throws(DiskFailure) -> Result<DownloadFolder, DownloadError> in
            let top = DiskFile(try disk.openFolder(path: path, isCreating: true), of: disk)
            let (descriptor, isNew) = try disk.openFolder(hiddenName, in: top.descriptor, mode: 0o700)
            let hidden = DiskFile(descriptor, of: disk)
            if isNew { try disk.flushFolder(top.descriptor) }
            let lock = DiskFile(
                try disk.openFile("lock", in: descriptor, as: .existingOrNew, mode: 0o600), of: disk)
            guard try disk.lock(lock.descriptor) else {
                let holder = try? lock.read(at: 0, count: 256)
                return .failure(inUse(path, by: holder ?? Bytes()))
            }
            try disk.setLength(0, of: lock.descriptor)
            try lock.write(Bytes(holderText.utf8), at: 0)
            return .success(
                DownloadFolder(
                    path: path, disk: disk, top: top, hidden: hidden, lock: lock,
                    totalBytes: try disk.totalBytes(of: top.descriptor)))
        }.get()
    }

    /// Releases the lock, so that another manager can use the folder.
    package func close() {
        removeSpares()
        lock.withLock { $0 = nil }
    }

    /// Returns the number of bytes that may still be written to the disk.
    package func freeBytes() throws(DownloadError) -> Int64 {
        try onDisk("find the free space of \"\(path)\"") { () throws(DiskFailure) in
            try disk.freeBytes(of: top.descriptor)
        }
    }

    /// Returns the number of bytes to leave free: at most a twentieth of the disk, so that small disks can be used.
    package func kept(of keepsFree: Int64) -> Int64 { min(keepsFree, totalBytes / 20) }

    /// Writes the journal of a new task, which has no part file yet.
    package func create(_ identity: DownloadIdentity) throws(DownloadError) {
        try changingIdentities { () throws(DownloadError) in
            let file = try makeJournal(identity.id)
            do throws(DownloadError) {
                try DownloadJournal(file, of: identity.id).write(identity, isNew: true)
            } catch {
                try? removeJournal(identity.id)
                throw error
            }
        }
    }

    /// Replaces the identity of a task, atomically and also while its part file is open. Throws `.taskNotFound` if it
    /// has no journal.
    package func change(_ identity: DownloadIdentity) throws(DownloadError) {
        let journal = try openJournal(identity.id)
        try changingIdentities { () throws(DownloadError) in try journal.write(identity, isNew: false) }
    }

    /// Prevents others from writing identities, and from removing a journal that has no identity yet.
    func changingIdentities<Value: Sendable>(
        _ body: () throws(DownloadError) -> Value
    ) throws(DownloadError) -> Value {
        try changing.withLock { _ in Result { () throws(DownloadError) in try body() } }.get()
    }

    /// Opens the part file of a task, or creates an empty one. Throws `.taskNotFound` if the task has no journal.
    ///
    /// - Parameters:
    ///   - limits: The limits at which bytes are noted and flushed.
    ///   - clock: The clock for those limits.
    package func part(
        _ id: UUID, limits: PartLimits = .standard, clock: NetClock
    ) throws(DownloadError) -> PartFile {
        try PartFile(id, in: self, limits: limits, clock: clock)
    }

    /// Removes the journal and the part file of a task; does nothing if there are none.
    package func remove(_ id: UUID) throws(DownloadError) {
        // A part file without a journal is removed later, whereas a journal without a part file would restart the
        // task.
        try removeJournal(id)
        try removeIfThere(Self.part(id))
        try removeIfThere(Self.decoded(id))
    }

    static func part(_ id: UUID) -> String { id.uuidString.lowercased() + ".part" }
    static func decoded(_ id: UUID) -> String { id.uuidString.lowercased() + ".decoded" }
    static func journal(_ id: UUID) -> String { id.uuidString.lowercased() + ".journal" }

    private static var holderText: String {
        let program = CommandLine.arguments.first?.utf8.split(separator: UInt8(ascii: "/")).last
        return "\(program.map { String($0) ?? "" } ?? "a program") (process \(getpid()))"
    }

    private static func inUse(_ path: String, by holder: Bytes) -> DownloadError {
        let text = String(decoding: holder, as: UTF8.self).unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
        let name = text.isEmpty ? "another manager" : String(String.UnicodeScalarView(text))
        return DownloadError(
            .folderInUse,
            message: "the folder \"\(path)\" is used by \(name); shut that manager down, or use another folder")
    }

    /// Returns the path of a file in this folder or one below it.
    package func path(named name: String = "", in subfolder: String = "") -> String {
        [path, subfolder, name].filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// Opens a folder below this one, component by component, without following links.
    ///
    /// - Parameter flushes: Nil creates nothing; otherwise, missing folders are created, and flushed if true.
    func openSubfolder(_ subfolder: String, making flushes: Bool?) throws(DiskFailure) -> DiskFile {
        var folder = top
        for name in subfolder.utf8.split(separator: UInt8(ascii: "/")) {
            let mode: UInt16? = flushes == nil ? nil : 0o777
            let (descriptor, isNew) = try disk.openFolder(String(name) ?? "", in: folder.descriptor, mode: mode)
            let next = DiskFile(descriptor, of: disk)
            if isNew, flushes == true { try disk.flushFolder(folder.descriptor) }
            folder = next
        }
        return folder
    }
}
