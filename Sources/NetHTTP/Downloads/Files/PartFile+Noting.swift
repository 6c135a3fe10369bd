internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension PartFile {
    /// Changes the state under the lock, with typed errors.
    func onState<Value: Sendable>(
        _ body: (inout State) throws(DownloadError) -> Value
    ) throws(DownloadError) -> Value {
        try state.withLock { (state: inout State) -> Result<Value, DownloadError> in
            do throws(DownloadError) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    func check(_ state: State) throws(DownloadError) {
        guard !state.isOver, state.placed == nil else {
            throw DownloadError(.fileSystem, message: "the file of the download is closed; resume the download")
        }
    }

    func checkIdle(_ state: State) throws(DownloadError) {
        guard !state.isOver, state.writing == 0 else {
            throw DownloadError(
                .fileSystem, message: "the file of the download is closed or still being written; resume the download")
        }
    }

    static var startedOver: DownloadError {
        DownloadError(
            .fileSystem,
            message: "bytes of the download couldn't be kept, because a flush failed or it was started over")
    }

    func note(_ state: inout State, finishing: JournalSlot.Finishing? = nil) throws(DownloadError) {
        try journal.write(
            state.progress.slot(of: id, bootID: folder.disk.bootID, finishing: finishing), area: state.noteArea)
        state.noteArea = DownloadJournal.noteAreas.other(state.noteArea)
        state.progress.didNote()
    }

    /// Retracts the journal's record if it includes bytes that aren't valid.
    func settle(_ state: inout State) throws(DownloadError) {
        if state.progress.isDisputed { try Self.disclaim(id, &state, journal, folder) }
    }

    /// Records the valid bytes in the journal, before other bytes are written that older slots describe as valid. If
    /// those slots may have reached the disk, this slot is flushed as well.
    static func disclaim(
        _ id: UUID, _ state: inout State, _ journal: DownloadJournal, _ folder: DownloadFolder
    ) throws(DownloadError) {
        let isForLong = state.progress.isClaimedForLong
        let slot = state.progress.slot(of: id, bootID: folder.disk.bootID)
        guard isForLong else {
            try journal.write(slot, area: state.noteArea)
            state.noteArea = DownloadJournal.noteAreas.other(state.noteArea)
            return state.progress.didDisclaim()
        }
        try journal.write(slot, area: state.flushedArea)
        try onDisk("flush the journal of the download") { () throws(DiskFailure) in try journal.flush() }
        state.flushedArea = DownloadJournal.flushedAreas.other(state.flushedArea)
        state.progress.didDisclaim()
    }

    /// Empties the file, so that no bytes of another version remain after the end of this one.
    func empty() throws(DownloadError) {
        guard !state.withLock({ $0.isFileEmpty }) else { return }
        try onDisk("empty the file of the download in \"\(folder.path)\"") { () throws(DiskFailure) in
            if try folder.disk.status(of: file.descriptor).length > 0 {
                try folder.disk.setLength(0, of: file.descriptor)
            }
        }
        state.withLock { $0.isFileEmpty = true }
    }

    /// Flushes the file; `bytes` are those written before the flush.
    func flushBytes(_ bytes: ByteRanges, _ generation: Int) throws(DownloadError) {
        do throws(DiskFailure) {
            try folder.disk.flush(file.descriptor)
        } catch {
            state.withLock { state in
                state.progress.flushFailed(at: clock.now())
                // If that fails too, it's repeated before the next write.
                try? settle(&state)
            }
            throw DownloadError(error, "flush the file of the download in \"\(folder.path)\"")
        }
        try onState { (state) throws(DownloadError) in
            guard state.progress.generation == generation else { throw Self.startedOver }
            state.progress.didFlush(bytes, at: clock.now())
        }
    }

    /// Flushes the names of the part file and the journal, once.
    func flushNames() throws(DownloadError) {
        guard !state.withLock({ $0.areNamesFlushed }) else { return }
        try folder.flushNames()
        state.withLock { $0.areNamesFlushed = true }
    }
}

extension ClosedRange<Int> {
    /// The other one of the two areas.
    func other(_ area: Int) -> Int { area == lowerBound ? upperBound : lowerBound }
}
