internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DownloadManager {
    /// Adds a download, which starts as soon as it may; returns its ID when its journal is written.
    ///
    /// Throws `.invalidURL`, `.alreadyQueued` if a download of that URL is unfinished, `.queueFull`, `.insufficientDiskSpace` if there
    /// is less room than is kept free, `.folderInUse` or `.fileSystem` if the folder can't be used, and `.shutDown`.
    @discardableResult
    public func enqueue(_ request: DownloadRequest) async throws(DownloadError) -> UUID {
        let place = try DownloadPlace(request.url)
        let engine = try await engine()
        let free = try await engine.storage.freeBytes()
        guard free > configuration.keepsFree else { throw .noRoom(configuration.keepsFree, free) }
        let settings = client.configuration
        let date = settings.clock.date()
        let id = CallID(date: date, random: settings.random).uuid
        var request = request
        if request.folder == nil, configuration.layout == .folderPerTask { request.folder = "\(CallID(id))" }
        if let folder = request.folder { request.folder = DownloadName.folder(folder) }
        try await keep(try board.add(id, request, place, date), engine)
        return id
    }

    /// Writes the journal of what was added, after which it may start.
    func keep(_ identity: DownloadIdentity, _ engine: DownloadEngine) async throws(DownloadError) {
        do throws(DownloadError) {
            try await engine.storage.create(identity)
        } catch {
            board.wasNotAdded(identity.id)
            throw error
        }
        // It was changed or cancelled meanwhile.
        if !board.wasAdded(identity.id) { await save([identity.id]) }
    }

    /// Adds downloads in their order. Each has a result of its own: an error of one doesn't affect the others.
    ///
    /// - Parameter requests: The requests, each with its name and priority.
    /// - Returns: For each request, in order, the ID or the error that ``enqueue(_:)`` would have thrown.
    @discardableResult
    public func enqueue(_ requests: [DownloadRequest]) async -> [Result<UUID, DownloadError>] {
        var results: [Result<UUID, DownloadError>] = []
        for request in requests {
            do throws(DownloadError) {
                results.append(.success(try await enqueue(request)))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    /// Adds a download and returns its progress: ``enqueue(_:)`` and ``progress(of:)``.
    public func download(_ request: DownloadRequest) async throws(DownloadError) -> DownloadUpdates {
        progress(of: try await enqueue(request))
    }

    /// Takes up the downloads and uploads that journals in the folder have kept, with their order, priorities and pauses, and returns them.
    /// Those that weren't paused go on; one that had failed is tried again. Those that the manager has already aren't touched.
    ///
    /// Throws like ``enqueue(_:)``.
    @discardableResult
    public func restore() async throws(DownloadError) -> [DownloadTask] {
        let engine = try await engine()
        let found = try await engine.storage.restore()
        guard shuttingDown == nil else { throw .shutDown }
        return board.restore(found)
    }
}

extension DownloadError {
    fileprivate static func noRoom(_ required: Int64, _ available: Int64) -> DownloadError {
        DownloadError(
            .insufficientDiskSpace,
            message:
                "\(available) bytes are free on the disk, and \(required) are to stay free; delete something, or lower "
                + "keepsFree", room: Room(required: required, available: available))
    }
}
