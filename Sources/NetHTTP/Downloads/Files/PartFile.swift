package import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The bytes of an incomplete download, and the journal that records which of them are valid.
///
/// Bytes are written first and noted afterwards, so that the end of the process at any moment loses at most 1 MiB.
/// Every 64 MiB or 5 s they're flushed, so that a power failure loses no more than that. Its functions block: call
/// them on ``DownloadThreads``. Several threads may write concurrently.
///
/// After an error, read ``received`` again: bytes that couldn't be flushed are no longer valid.
package final class PartFile: Sendable {
    struct State {
        var progress: PartProgress
        /// The area of the next note and the next flushed slot.
        var noteArea: Int
        var flushedArea: Int
        /// The number of writes in progress.
        var writing = 0
        var isFlushing = false
        /// True if the file is known to be empty.
        var isFileEmpty = false
        /// True once the names of the part file and the journal have reached the disk.
        var areNamesFlushed = false
        /// The final location of the complete file, once it has been moved there.
        var placed: Placed?
        var isOver = false

        struct Placed {
            let folder: DiskFile
            let path: String
            let name: String
            /// The number of the file on its disk.
            let number: UInt64
        }
    }

    let folder: DownloadFolder
    package let id: UUID
    let file: DiskFile
    let journal: DownloadJournal
    let clock: NetClock
    let state: Mutex<State>

    /// Opens a part file and its journal, or creates an empty file.
    init(
        _ id: UUID, in folder: DownloadFolder, limits: PartLimits, clock: NetClock
    ) throws(DownloadError) {
        (self.id, self.folder, self.clock) = (id, folder, clock)
        let journal = try folder.openJournal(id)
        let action = "read the journal of the download"
        let newest = try onDisk(action) { () throws(DiskFailure) in try journal.newestSlot() }
        let found = newest == nil ? nil : try folder.openPart(id)
        let areas = try onDisk(action) { () throws(DiskFailure) in
            guard newest != nil else { return (note: 0, flushed: 2) }
            return (
                note: try journal.olderArea(of: DownloadJournal.noteAreas),
                flushed: try journal.olderArea(of: DownloadJournal.flushedAreas)
            )
        }
        var state = State(
            progress: PartProgress(
                slot: newest?.slot, length: found?.length, bootID: folder.disk.bootID, limits: limits,
                now: clock.now()),
            noteArea: areas.note, flushedArea: areas.flushed)
        if state.progress.isDisputed { try Self.disclaim(id, &state, journal, folder) }
        let (file, isNew) = if let found { (found.file, false) } else { try folder.makePart(id) }
        state.isFileEmpty = isNew || found?.length == 0
        (self.journal, self.file) = (journal, file)
        self.state = Mutex(state)
        if state.progress.received.isEmpty { try empty() }
    }

    /// The version that the bytes belong to; nil before ``begin(_:)``.
    package var version: DownloadVersion? { state.withLock { $0.progress.version } }
    /// The valid bytes.
    package var received: ByteRanges { state.withLock { $0.progress.received } }

    /// Starts over with a version: no bytes are valid, and the file is empty. Also used to begin a new file.
    ///
    /// Throws if bytes are being written.
    package func begin(_ version: DownloadVersion) throws(DownloadError) {
        try onState { (state) throws(DownloadError) in
            try checkIdle(state)
            // The journal's record is retracted before the first byte is written.
            state.progress.startOver(version)
        }
        try empty()
    }

    /// Sets the length of the whole file, if it becomes known later; the bytes received stay valid.
    package func setLength(_ length: Int64) {
        state.withLock { $0.progress.setLength(length) }
    }

    /// Writes bytes at an offset; notes and flushes when that's due.
    ///
    /// Throws `.insufficientDiskSpace` if the disk is full; the bytes that were still written are valid.
    package func write(_ bytes: Bytes, at offset: Int64) throws(DownloadError) {
        let generation = try onState { (state) throws(DownloadError) in
            try check(state)
            try settle(&state)
            if state.progress.isNoteDue(beforeNext: bytes.count) { try note(&state) }
            state.writing += 1
            state.isFileEmpty = false
            return state.progress.generation
        }
        var (count, failure) = (0, DiskFailure?.none)
        do throws(DiskFailure) {
            try file.write(bytes, at: offset, written: &count)
        } catch {
            failure = error
        }
        let isFlushDue = try onState { (state) throws(DownloadError) in
            state.writing -= 1
            guard state.progress.generation == generation else { throw Self.startedOver }
            state.progress.wrote(offset..<(offset + Int64(count)))
            return state.progress.isFlushDue(at: clock.now())
        }
        if let failure { throw DownloadError(failure, "write the file of the download in \"\(folder.path)\"") }
        if isFlushDue { try flush() }
    }

    /// Reads valid bytes, such as for their checksum.
    package func read(_ range: Range<Int64>) throws(DownloadError) -> Bytes {
        let bytes = try onDisk("read the file of the download in \"\(folder.path)\"") { () throws(DiskFailure) in
            try file.read(at: range.lowerBound, count: Int(range.count))
        }
        guard received.contains(range), bytes.count == range.count else {
            throw DownloadError(
                .fileSystem, message: "bytes of the download are missing in \"\(folder.path)\"; start it over")
        }
        return bytes
    }

    /// Notes the valid bytes, so that they survive the end of the process.
    package func note() throws(DownloadError) {
        try onState { (state) throws(DownloadError) in
            try check(state)
            try settle(&state)
            if state.progress.hasUnnoted { try note(&state) }
        }
    }

    /// Waits until the bytes written have reached the disk, and notes that; does nothing if they already have.
    ///
    /// If it fails, only the bytes that had reached the disk before are valid.
    package func flush() throws(DownloadError) {
        let begun = try onState { (state) throws(DownloadError) -> (bytes: ByteRanges, generation: Int)? in
            try check(state)
            try settle(&state)
            guard !state.isFlushing, state.progress.hasUnflushed || state.progress.hasUnnoted else { return nil }
            state.isFlushing = true
            return (state.progress.received, state.progress.generation)
        }
        guard let begun else { return }
        defer { state.withLock { $0.isFlushing = false } }
        try flushBytes(begun.bytes, begun.generation)
        try flushNames()
        try onState { (state) throws(DownloadError) in
            try journal.write(state.progress.slot(of: id, bootID: folder.disk.bootID), area: state.flushedArea)
            state.flushedArea = DownloadJournal.flushedAreas.other(state.flushedArea)
            state.progress.didNote()
        }
        do throws(DiskFailure) {
            try journal.flush()
        } catch {
            state.withLock { $0.progress.noteFailed() }
            throw DownloadError(error, "flush the journal of the download")
        }
    }

    /// Flushes and ends the use of the file: afterwards, the other functions throw. The download can be continued
    /// later.
    package func close() throws(DownloadError) {
        defer { state.withLock { $0.isOver = true } }
        try flush()
    }

    /// Removes the part file and the journal.
    package func discard() throws(DownloadError) {
        state.withLock { $0.isOver = true }
        try folder.remove(id)
    }
}
