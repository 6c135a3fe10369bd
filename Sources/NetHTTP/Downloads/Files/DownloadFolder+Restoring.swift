internal import NetCore

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

/// A task that was found in a folder.
package struct RestoredDownload: Sendable, Hashable {
    package var identity: DownloadIdentity
    /// The version that the bytes are of; nil if there are none.
    package var version: DownloadVersion?
    /// The number of bytes that count.
    package var received: Int64 = 0
    /// The path of the complete file, if the process ended between moving it there and forgetting the task; the journal
    /// is gone.
    package var finished: String?
}

extension DownloadFolder {
    /// Returns the tasks whose journals are in the folder, in no order. Removes what nothing can be done with: part
    /// files without a journal, and journals without an identity.
    package func restore() throws(DownloadError) -> [RestoredDownload] {
        let names = try onDisk("read the folder \"\(path)\"") { () throws(DiskFailure) in
            try disk.names(in: hidden.descriptor)
        }
        var found: [RestoredDownload] = []
        var journals: Set<String> = []
        for file in names where file.hasSuffix(".journal") {
            let name = String(file.dropLast(".journal".count))
            guard UUID(uuidString: name) != nil else { continue }
            guard let task = try restore(name) else { continue }
            found.append(task)
            if task.finished == nil { journals.insert(name) }
        }
        for file in names where file.hasSuffix(".part") {
            let name = String(file.dropLast(".part".count))
            if UUID(uuidString: name) != nil, !journals.contains(name) { try removeIfThere(file) }
        }
        return found
    }

    /// Returns a task; nil if its journal has no whole identity, or is none, and then it's removed.
    private func restore(_ name: String) throws(DownloadError) -> RestoredDownload? {
        let journal: DownloadJournal
        do throws(DownloadError) {
            journal = try openJournal(name)
        } catch {
            // A folder can't be removed like that, and does no harm.
            if error.systemError == EISDIR { return nil }
            guard error.systemError == ELOOP else { throw error }
            try removeJournal(name)
            return nil
        }
        let action = "read the journal of a download in \"\(path)\""
        let identity = try onDisk(action) { () throws(DiskFailure) in try journal.identity() }
        guard let identity, Self.name(identity.id) == name else {
            try removeJournal(name)
            return nil
        }
        var task = RestoredDownload(identity: identity)
        guard let slot = try onDisk(action, { () throws(DiskFailure) in try journal.newestSlot() })?.slot else {
            return task
        }
        if let path = finishedPath(slot) {
            task.version = slot.version
            task.received = slot.received.count
            task.finished = path
            try removeJournal(name)
            return task
        }
        guard let part = try openPart(name) else { return task }
        let progress = PartProgress(slot: slot, length: part.length, bootID: disk.bootID, now: .zero)
        (task.version, task.received) = (progress.version, progress.received.count)
        return task
    }

    /// Returns the path of the complete file if it's where the journal says that it was about to be moved; else nil.
    private func finishedPath(_ slot: JournalSlot) -> String? {
        guard let finishing = slot.finishing,
            // After the loss of power, a file counts that had reached the disk before it was moved.
            slot.counted(in: disk.bootID) == slot.received,
            let target = try? openSubfolder(finishing.folder, making: nil),
            let status = try? disk.status(of: finishing.name, in: target.descriptor),
            status.isRegular, status.number == finishing.number, status.length == slot.received.end
        else { return nil }
        try? disk.flushFolder(target.descriptor)
        return path(named: finishing.name, in: finishing.folder)
    }
}
