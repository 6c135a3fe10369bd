internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension PartFile {
    /// Changes the state; what it throws is typed.
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
            .fileSystem, message: "bytes of the download couldn't be kept, since a flush failed or it was started over")
    }

    func note(_ state: inout State, finishing: JournalSlot.Finishing? = nil) throws(DownloadError) {
        try journal.write(
            state.progress.slot(of: id, bootID: folder.disk.bootID, finishing: finishing), area: state.noteArea)
        state.noteArea = DownloadJournal.noteAreas.other(state.noteArea)
        state.progress.didNote()
    }

    /// Takes back what the journal says, if it says too much.
    func settle(_ state: inout State) throws(DownloadError) {
        if state.progress.isDisputed { try Self.disclaim(id, &state, journal, folder) }
    }

    /// Says in the journal what counts, before bytes are written for which older slots speak. They may have reached the
    /// disk: in that case this one does so too.
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

    /// Empties the file, so that nothing of another version is behind the end of this one.
    func empty() throws(DownloadError) {
        guard !state.withLock({ $0.isFileEmpty }) else { return }
        try onDisk("empty the file of the download in \"\(folder.path)\"") { () throws(DiskFailure) in
            if try folder.disk.status(of: file.descriptor).length > 0 {
                try folder.disk.setLength(0, of: file.descriptor)
            }
        }
        state.withLock { $0.isFileEmpty = true }
    }

    /// Flushes the file; `bytes` are the ones that were written before.
    func flushBytes(_ bytes: ByteRanges, _ generation: Int) throws(DownloadError) {
        do throws(DiskFailure) {
            try folder.disk.flush(file.descriptor)
        } catch {
            state.withLock { state in
                state.progress.flushFailed(at: clock.now())
                // If that fails too, it's done before the next write.
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
    /// The other one of two areas.
    func other(_ area: Int) -> Int { area == lowerBound ? upperBound : lowerBound }
}
