internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DownloadManager {
    /// Adds a download, which starts as soon as the queue allows; returns its ID once its journal has been written.
    ///
    /// Throws `.invalidURL`, `.alreadyQueued` if a download of that URL is unfinished, `.queueFull`,
    /// `.insufficientDiskSpace` if the disk has less free space than downloads must leave, `.folderInUse` or
    /// `.fileSystem` if the folder can't be used, and `.shutDown`.
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
        let login = await client.login(ofTransferFrom: request.url)
        try await keep(try board.add(id, request, place, date, login: login), engine)
        return id
    }

    /// Writes the journal of a new download, which may then start.
    func keep(_ identity: DownloadIdentity, _ engine: DownloadEngine) async throws(DownloadError) {
        do throws(DownloadError) {
            try await engine.storage.create(identity)
        } catch {
            board.wasNotAdded(identity.id)
            throw error
        }
        // The download was changed or cancelled in the meantime.
        if !board.wasAdded(identity.id) { await save([identity.id]) }
    }

    /// Adds downloads in order. Each has a separate result: an error of one doesn't affect the others.
    ///
    /// - Parameter requests: The requests, each with its name and priority.
    /// - Returns: For each request, in order, the ID or the error that ``enqueue(_:)-(DownloadRequest)`` would have
    ///   thrown.
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

    /// Adds a download and returns its progress: ``enqueue(_:)-(DownloadRequest)`` and ``progress(of:)``.
    public func download(_ request: DownloadRequest) async throws(DownloadError) -> DownloadUpdates {
        progress(of: try await enqueue(request))
    }

    /// Restores the downloads and uploads from the journals in the folder, with their order, priorities and pauses,
    /// and returns them. Those that weren't paused continue; failed ones are retried. Those that the manager already
    /// has aren't changed.
    ///
    /// A task that a user with a name has added (``NetClient/RefreshingCredentials/Configuration/identity``) waits until
    /// the client's credentials belong to that user again; the others don't wait for it. Tasks of users without a name
    /// are the program's own: they continue with the credentials that it has now.
    ///
    /// Throws like ``enqueue(_:)-(DownloadRequest)``.
    @discardableResult
    public func restore() async throws(DownloadError) -> [DownloadTask] {
        let engine = try await engine()
        let found = try await engine.storage.restore()
        var logins: [UUID: CallLogin] = [:]
        for each in found where each.finished == nil {
            logins[each.identity.id] = await client.login(ofTransferFrom: each.identity.url)
        }
        guard shuttingDown == nil else { throw .shutDown }
        let tasks = board.restore(found, logins)
        watchOwners()
        return tasks
    }
}

extension DownloadError {
    fileprivate static func noRoom(_ required: Int64, _ available: Int64) -> DownloadError {
        DownloadError(
            .insufficientDiskSpace,
            message:
                "\(available) bytes are free on the disk, and \(required) must stay free; delete something, or lower "
                + "keepsFree", room: Room(required: required, available: available))
    }
}
