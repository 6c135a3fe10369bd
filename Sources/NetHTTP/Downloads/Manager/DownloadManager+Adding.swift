internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DownloadManager {
    /// Adds a download, which starts as soon as the queue allows; returns its ID once its journal has been written.
    ///
    /// A request for a file that has failed before, or that an earlier manager of the folder has left unfinished, doesn't
    /// begin another task: it continues that one with the bytes received, and returns its ID. So does a new link, if
    /// the folder and the name are the same; its bytes count if the validator is the same or there is a checksum.
    ///
    /// Throws `.invalidURL`, `.alreadyQueued` with ``DownloadError/taskID`` if a download of that URL is unfinished,
    /// `.queueFull`, `.insufficientDiskSpace` if the disk has less free space than downloads must leave,
    /// `.networkUnknown` if the request needs a network that the manager doesn't observe, `.folderInUse` or
    /// `.fileSystem` if the folder can't be used, and `.shutDown`.
    @discardableResult
    public func enqueue(_ request: DownloadRequest) async throws(DownloadError) -> UUID {
        let place = try DownloadPlace(request.url)
        let engine = try await engine()
        let free = try await engine.storage.freeBytes()
        let kept = try await engine.storage.kept(of: configuration.keepsFree)
        guard free > kept else { throw .noRoom(kept, free) }
        var request = request
        let settings = client.configuration
        let date = settings.clock.date()
        let id = CallID(date: date, random: settings.random).uuid
        if request.folder == nil, configuration.layout == .folderPerTask { request.folder = "\(CallID(id))" }
        if let folder = request.folder { request.folder = DownloadName.folder(folder) }
        let login = await client.login(ofTransferFrom: request.url)
        return try await add(id, date, .init(request: request, place: place, login: login), engine)
    }

    /// Continues the task of a file, or adds a new one; returns its ID.
    func add(
        _ id: UUID, _ date: Date, _ new: DownloadBoard.Continuation, _ engine: DownloadEngine
    ) async throws(DownloadError) -> UUID {
        if let found = try await unrestored(engine).first(where: { $0.isContinued(by: new) }),
            try board.restore(found, as: new)
        {
            await save([found.identity.id])
            return found.identity.id
        }
        if let id = try board.retry(as: new) {
            await save([id])
            return id
        }
        let identity = try board.add(id, new.request, new.place, date, upload: new.upload, login: new.login)
        try await keep(identity, engine)
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
    /// and returns them. Those that weren't paused continue. Those that the manager already has aren't changed.
    ///
    /// A task that has failed for good, such as with a wrong checksum or a dead link, is restored as failed: retrying it
    /// would cost the same again. ``retry(_:)`` and a new request for its file continue it.
    ///
    /// A task that a user with a name has added (``NetClient/RefreshingCredentials/Configuration/identity``) waits until
    /// the client's credentials belong to that user again; the others don't wait for it. Tasks of users without a name
    /// are the program's own: they continue with the credentials that it has now.
    ///
    /// A task that was added with headers gets them from ``Configuration/restoredHeaders``; without them, it fails with
    /// `.missingHeaders`.
    ///
    /// Throws like ``enqueue(_:)-(DownloadRequest)``.
    ///
    /// - Parameter retryingFailed: True to retry all failed tasks. Default false.
    @discardableResult
    public func restore(retryingFailed: Bool = false) async throws(DownloadError) -> [DownloadTask] {
        let engine = try await engine()
        // Reading the journal of a complete file removes it.
        let earlier = try await unrestored(engine).filter { $0.finished != nil }
        let found = try await engine.storage.restore() + earlier
        var supplements: [UUID: DownloadBoard.Restoring] = [:]
        for each in found where each.finished == nil && board.task(each.identity.id) == nil {
            supplements[each.identity.id] = await supplement(each, retryingFailed: retryingFailed)
        }
        guard shuttingDown == nil else { throw .shutDown }
        let tasks = board.restore(found, supplements)
        left = Task { .success([]) }
        watchOwners()
        return tasks
    }

    private func supplement(_ found: RestoredDownload, retryingFailed: Bool) async -> DownloadBoard.Restoring {
        let identity = found.identity
        var supplement = DownloadBoard.Restoring()
        supplement.login = await client.login(ofTransferFrom: identity.url)
        if let failure = identity.failure, !retryingFailed { supplement.failure = failure.error(identity.url) }
        guard let names = identity.headerNames, !names.isEmpty else { return supplement }
        supplement.headers = await configuration.restoredHeaders?(found.task(DownloadRequest(identity)))
        if supplement.headers == nil, supplement.failure == nil {
            supplement.failure = DownloadError(
                .missingHeaders,
                message: "the transfer was added with headers (\(names.joined(separator: ", "))), whose values aren't "
                    + "stored; enqueue it again with them, or set restoredHeaders", url: identity.url)
        }
        return supplement
    }

    /// Returns the tasks that an earlier manager of the folder has left, as they were at the first use.
    private func unrestored(_ engine: DownloadEngine) async throws(DownloadError) -> [RestoredDownload] {
        let task: Task<Result<[RestoredDownload], DownloadError>, Never>
        if let left {
            task = left
        } else {
            task = Task {
                do throws(DownloadError) {
                    return .success(try await engine.storage.restore())
                } catch {
                    return .failure(error)
                }
            }
            left = task
        }
        return try await task.value.get()
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
