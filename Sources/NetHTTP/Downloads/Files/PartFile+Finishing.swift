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

extension PartFile {
    /// The highest number that is added to a name.
    static var maximumNumber: Int { 9_999 }

    /// Moves the complete file to its final place: flush, move, flush the folder, remove the journal. Returns its
    /// path. The folder remembers the file if `source` is its URL.
    ///
    /// Throws `.wrongLength` if bytes are missing, `.fileExists` if a file with that name exists and `placing` is
    /// `.fail`. May be called again after an error.
    ///
    /// - Parameters:
    ///   - fileName: A name from ``DownloadName``.
    ///   - subfolder: The folder below the manager's; empty for the manager's own. It's created if it's missing.
    ///   - decoded: The decoded form of the file, which is moved instead; nil to move the file as it was received.
    ///   - modified: The modification time of the file; nil keeps the time of the last write.
    ///   - flushes: True to wait until the file and its name have reached the disk. If false, a power failure may
    ///     leave a file with missing bytes.
    func finish(
        named fileName: String, in subfolder: String = "", placing: FilePlacing = .number,
        decoded: DecodedPart? = nil, from source: String? = nil, modified: Date? = nil, flushes: Bool = true
    ) throws(DownloadError) -> String {
        let placed: State.Placed
        if let earlier = state.withLock({ $0.isOver ? nil : $0.placed }) {
            placed = earlier
        } else {
            let number = try complete(decoded, modified, flushes: flushes)
            let target = try onDisk("open the folder \"\(folder.path(in: subfolder))\"") { () throws(DiskFailure) in
                try folder.openSubfolder(subfolder, making: flushes)
            }
            placed = try place(fileName, in: target, subfolder, placing, decoded, number)
        }
        if flushes {
            try onDisk("flush the folder \"\(folder.path)\"") { () throws(DiskFailure) in
                try folder.disk.flushFolder(placed.folder.descriptor)
            }
        }
        if let source {
            folder.remember(
                placed.name, in: subfolder, from: source, version: version, number: placed.number)
        }
        state.withLock { $0.isOver = true }
        if decoded != nil { try? folder.removeIfThere(DownloadFolder.part(id)) }
        // The file is in its final place. A remaining journal is recognized and removed when the folder is opened
        // again.
        try? folder.retireJournal(id, journal)
        return placed.path
    }

    /// Checks that the file has exactly the expected bytes, and flushes it. Returns its number on the disk.
    private func complete(
        _ decoded: DecodedPart?, _ modified: Date?, flushes: Bool
    ) throws(DownloadError) -> UInt64 {
        let (bytes, generation) = try onState { (state) throws(DownloadError) in
            try checkIdle(state)
            try settle(&state)
            guard state.progress.isComplete else { throw Self.incomplete(state.progress) }
            return (state.progress.received, state.progress.generation)
        }
        let action = "finish the file of the download in \"\(folder.path)\""
        let number = try onDisk(action) { () throws(DiskFailure) in
            let status = try folder.disk.status(of: file.descriptor)
            if status.length > bytes.end { try folder.disk.setLength(bytes.end, of: file.descriptor) }
            // Another program has truncated the file.
            if status.length < bytes.end { throw DiskFailure(EIO) }
            guard let decoded else { return status.number }
            return try folder.disk.status(of: decoded.file.descriptor).number
        }
        let kept = decoded?.file ?? file
        if let modified {
            // A file system may not support modification times.
            try? folder.disk.setModified(Int64(modified.timeIntervalSince1970), of: kept.descriptor)
        }
        if flushes {
            try flushBytes(bytes, generation)
            if decoded != nil {
                try onDisk(action) { () throws(DiskFailure) in try folder.disk.flush(kept.descriptor) }
            }
        }
        return number
    }

    private static func incomplete(_ progress: PartProgress) -> DownloadError {
        let expected = progress.version?.length.map { "\($0) bytes" } ?? "an unknown length"
        return DownloadError(
            .wrongLength, message: "the file has \(progress.received.count) bytes, but should have \(expected)")
    }

    private func place(
        _ fileName: String, in target: DiskFile, _ subfolder: String, _ placing: FilePlacing, _ decoded: DecodedPart?,
        _ number: UInt64
    ) throws(DownloadError) -> State.Placed {
        var copy = 0
        while true {
            let name = copy == 0 ? fileName : DownloadName.numbered(fileName, copy)
            let placed = State.Placed(
                folder: target, path: folder.path(named: name, in: subfolder), name: name, number: number)
            // If this process ends, the next manager of the folder recognizes the moved file by this note.
            try onState { (state) throws(DownloadError) in
                try note(
                    &state,
                    finishing: JournalSlot.Finishing(
                        folder: subfolder, name: name, number: number, length: decoded?.length))
            }
            let moved = decoded == nil ? DownloadFolder.part(id) : DownloadFolder.decoded(id)
            guard let failure = folder.move(moved, to: name, in: target, placing) else {
                state.withLock { $0.placed = placed }
                return placed
            }
            guard failure.number == EEXIST, placing == .number, copy < Self.maximumNumber else {
                throw DownloadError(failure, "move the download to \"\(placed.path)\"")
            }
            copy += 1
        }
    }
}
