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

/// A task restored from a folder.
package struct RestoredDownload: Sendable, Hashable {
    package var identity: DownloadIdentity
    /// The version that the bytes belong to; nil if there are no bytes.
    package var version: DownloadVersion?
    /// The number of valid bytes.
    package var received: Int64 = 0
    /// The path of the complete file, if the process ended between moving it there and removing the task; the journal
    /// is gone.
    package var finished: String?
}

extension DownloadFolder {
    /// Returns the tasks whose journals are in the folder, in no particular order. Removes unusable files: part files
    /// without a journal, and journals without an identity.
    package func restore() throws(DownloadError) -> [RestoredDownload] {
        let names = try onDisk("read the folder \"\(path)\"") { () throws(DiskFailure) in
            try disk.names(in: hidden.descriptor)
        }
        spares.withLock { $0 = [] }
        var found: [RestoredDownload] = []
        for name in names where name.hasSuffix(".journal") {
            guard let id = UUID(uuidString: String(name.dropLast(".journal".count))), name == Self.journal(id),
                let task = try restore(id)
            else { continue }
            found.append(task)
        }
        let parts = Set(found.filter { $0.finished == nil }.map { Self.part($0.identity.id) })
        for name in names where !parts.contains(name) {
            // The decoded form of a file is made again.
            if name.hasPrefix("spare-") || name.hasSuffix(".decoded") { try removeIfThere(name) }
            guard name.hasSuffix(".part"), let id = UUID(uuidString: String(name.dropLast(".part".count))) else {
                continue
            }
            // A task that was added in the meantime has a journal.
            let journal = try onDisk("read the folder \"\(path)\"") { () throws(DiskFailure) in
                try disk.status(of: Self.journal(id), in: hidden.descriptor)
            }
            if journal == nil { try removeIfThere(name) }
        }
        return found
    }

    /// Returns a task; nil if its journal has no complete identity, or isn't a file.
    private func restore(_ id: UUID) throws(DownloadError) -> RestoredDownload? {
        let found = try changingIdentities { () throws(DownloadError) in try findJournal(id) }
        guard let (journal, identity) = found else { return nil }
        var task = RestoredDownload(identity: identity)
        let action = "read the journal of a download in \"\(path)\""
        guard let slot = try onDisk(action, { () throws(DiskFailure) in try journal.newestSlot() })?.slot else {
            return task
        }
        if let path = finishedPath(slot) {
            task.version = slot.version
            task.received = slot.received.count
            task.finished = path
            if let finishing = slot.finishing {
                remember(
                    finishing.name, in: finishing.folder, from: identity.url, version: slot.version,
                    number: finishing.number)
            }
            try removeJournal(id)
            return task
        }
        guard let part = try openPart(id) else { return task }
        let progress = PartProgress(slot: slot, length: part.length, bootID: disk.bootID, now: .zero)
        (task.version, task.received) = (progress.version, progress.received.count)
        return task
    }

    /// Returns a journal with its identity; removes a journal without one.
    private func findJournal(
        _ id: UUID
    ) throws(DownloadError) -> (journal: DownloadJournal, identity: DownloadIdentity)? {
        do throws(DownloadError) {
            let journal = try openJournal(id)
            let action = "read the journal of a download in \"\(path)\""
            if let identity = try onDisk(action, { () throws(DiskFailure) in try journal.identity() }) {
                return (journal, identity)
            }
        } catch {
            // The task ended in the meantime; or the entry is a folder, which can't be removed like this and does no
            // harm.
            if error.code == .taskNotFound || error.systemError == EISDIR { return nil }
            guard error.systemError == ELOOP else { throw error }
        }
        try removeJournal(id)
        return nil
    }

    /// Returns the path of the complete file if it's at the target recorded in the journal; else nil.
    private func finishedPath(_ slot: JournalSlot) -> String? {
        guard let finishing = slot.finishing,
            // After a power failure, a file is accepted only if it had reached the disk before it was moved.
            slot.counted(in: disk.bootID) == slot.received,
            let target = try? openSubfolder(finishing.folder, making: nil),
            let status = try? disk.status(of: finishing.name, in: target.descriptor),
            status.isRegular, status.number == finishing.number,
            status.length == finishing.length ?? slot.received.end
        else { return nil }
        try? disk.flushFolder(target.descriptor)
        return path(named: finishing.name, in: finishing.folder)
    }
}
