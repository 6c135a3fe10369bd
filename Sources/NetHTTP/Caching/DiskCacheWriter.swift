internal import HTTPTypes
internal import NetCore
internal import NetCrypto
internal import Synchronization

/// Writes the body of one entry to a draft, which becomes the body when it's complete.
final class DiskCacheWriter: HTTPCacheWriter {
    private struct State: ~Copyable {
        /// Nil once the writer is done, and while a thread for files is using the draft.
        var draft: DiskCacheFolder.Draft?
        var hash: RunningHash?
        var isCancelled = false
    }

    private let entry: CacheEntry
    private let folder: DiskCacheFolder
    private let room: Int64
    private let state: Mutex<State>

    /// Nil if hashing isn't available.
    init?(_ entry: CacheEntry, _ draft: DiskCacheFolder.Draft, in folder: DiskCacheFolder, room: Int64) {
        guard let hash = RunningHash(.sha256) else {
            folder.discard(draft)
            return nil
        }
        self.entry = entry
        self.folder = folder
        self.room = room
        state = Mutex(State(draft: draft, hash: hash))
    }

    deinit { cancel() }

    func write(_ bytes: Bytes) async -> Bool {
        await run { writer in
            guard var draft = writer.take() else { return false }
            var isWritten = draft.count + Int64(bytes.count) <= writer.room
            if isWritten { isWritten = writer.folder.write(bytes, to: &draft) }
            let isKept = writer.state.withLock { state -> Bool in
                guard isWritten, !state.isCancelled else { return false }
                state.hash?.update(bytes)
                state.draft = draft
                return true
            }
            if !isKept { writer.folder.discard(draft) }
            return isKept
        }
    }

    func finish(replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async -> Bool {
        await run { writer in
            guard let draft = writer.take() else { return false }
            var entry = writer.entry
            entry.bodyLength = draft.count
            entry.digest = writer.state.withLock { $0.hash?.finish() } ?? Bytes()
            return writer.folder.commit(draft, as: entry, replacing: isReplaced)
        }
    }

    func cancel() {
        let draft = state.withLock { state in
            state.isCancelled = true
            return state.draft.take()
        }
        guard let draft else { return }
        let folder = folder
        // Dropping a body doesn't wait for files.
        Task { try? await FileThreads.shared.run { () throws(NetError) in folder.discard(draft) } }
    }

    private func take() -> DiskCacheFolder.Draft? { state.withLock { $0.draft.take() } }

    private func run(_ body: @escaping @Sendable (DiskCacheWriter) -> Bool) async -> Bool {
        (try? await FileThreads.shared.run { () throws(NetError) -> Bool in body(self) }) ?? false
    }
}

/// The bytes of a file in a range, read in chunks on a thread for files.
final class DiskBodySource: BodySource {
    private let file: DiskCacheFile
    private let rest: Mutex<Range<Int64>>

    init(_ file: DiskCacheFile, _ range: Range<Int64>) {
        self.file = file
        rest = Mutex(range)
    }

    func next() async throws(NetError) -> Bytes? {
        guard !Task.isCancelled else {
            throw NetError(.cancelled, phase: .receiving, message: "the body was cancelled before its end")
        }
        let piece = rest.withLock { rest in
            let piece = rest.prefix(FileBodySource.pieceBytes)
            rest = piece.upperBound..<rest.upperBound
            return piece
        }
        guard !piece.isEmpty else { return nil }
        let file = file
        return try await FileThreads.shared.run { () throws(NetError) -> Bytes in
            guard let bytes = file.read(at: piece.lowerBound, count: piece.count) else {
                throw NetError(.file, phase: .receiving, message: "the stored body cannot be read to its end")
            }
            return bytes
        }
    }

    func cancel() { rest.withLock { $0 = $0.upperBound..<$0.upperBound } }
}
