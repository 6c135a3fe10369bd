internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Downloads and uploads files, several at a time, and keeps their progress across pauses, errors and the end of the
/// program.
///
/// A file appears in its final place only when it's complete and verified. Until then, it's a partial file in the
/// folder `.downloads`, with a journal that describes it. ``restore(retryingFailed:)`` continues the downloads of an earlier manager
/// of the folder. Only one manager can use a folder at a time: another one gets `.folderInUse`, with the process that
/// uses it.
///
///     let manager = DownloadManager(client: .shared, configuration: .init(folder: "/tmp/films"))
///     try await manager.restore()
///     let id = try await manager.enqueue(DownloadRequest("https://example.com/film.mp4", priority: .high))
///     for try await progress in manager.progress(of: id) {
///         print(progress.fraction ?? 0, progress.timeLeft ?? .zero)
///     }
///     let file = try await manager.file(of: id)
///     print(file.path)
///
/// Uploads are in the same queue, with the same events, and count towards the same limits:
/// ``enqueue(_:)-(UploadRequest)``. The server keeps the bytes received so far, and reports their number; the journal
/// contains the URL of the upload.
///
///     let upload = try await manager.enqueue(UploadRequest("/tmp/film.mp4", to: "https://example.com/files/"))
///     print(try await manager.uploadedFile(of: upload).location ?? "")
///
/// Keep a reference to the manager for as long as it should run: releasing it stops its downloads, which
/// ``restore(retryingFailed:)`` can continue. The number of observers isn't limited, and they never slow a download down.
public actor DownloadManager {
    /// The settings that the manager was created with.
    public nonisolated let configuration: Configuration

    let client: HTTPClient
    nonisolated let board: DownloadBoard
    private let open: @Sendable (DownloadBoard) async throws(DownloadError) -> DownloadEngine
    private var opening: Task<Result<DownloadEngine, DownloadError>, Never>?
    private var watching: Task<Void, Never>?
    /// The tasks that an earlier manager has left in the folder; nil before they are read.
    var left: Task<Result<[RestoredDownload], DownloadError>, Never>?
    /// Watches the client's logins while restored tasks wait for their users.
    var owners: Task<Void, Never>?
    /// The downloads whose journals must be written, and the task that writes them.
    private var unsaved: Set<UUID> = []
    private var saving: Task<Void, Never>?
    var shuttingDown: Task<Void, Never>?

    /// Creates a manager that opens its folder with a closure, on first use.
    init(
        client: HTTPClient, configuration: Configuration,
        open: @escaping @Sendable (DownloadBoard) async throws(DownloadError) -> DownloadEngine
    ) {
        self.client = client
        self.configuration = configuration
        self.open = open
        let settings = client.configuration
        board = DownloadBoard(
            configuration, clock: settings.clock, random: settings.random,
            log: DownloadLog(
                logger: configuration.logger ?? settings.logger, level: configuration.logLevel,
                detail: configuration.logDetail, redaction: settings.redaction),
            jobs: DownloadJobs(
                listeners: settings.listeners, clock: settings.clock, redaction: settings.redaction))
        board.save.withLock { $0 = { [weak self] in await self?.save($0) } }
    }

    deinit {
        watching?.cancel()
        owners?.cancel()
        board.abandon()
    }

    // MARK: - The folder

    /// Opens the folder once; retries on the next use after an error.
    func engine() async throws(DownloadError) -> DownloadEngine {
        guard shuttingDown == nil else { throw .shutDown }
        let task: Task<Result<DownloadEngine, DownloadError>, Never>
        if let opening {
            task = opening
        } else {
            task = Task { [open, board, network = configuration.network] in await Self.open(board, network, open) }
            opening = task
        }
        switch await task.value {
        case .success(let engine):
            guard shuttingDown == nil else { throw .shutDown }
            watchNetwork()
            return engine
        case .failure(let error):
            if opening == task { opening = nil }
            throw error
        }
    }

    /// Opens the folder once the network's status is known, before the first download can start.
    private static func open(
        _ board: DownloadBoard, _ network: (any NetworkStatusProvider)?,
        _ open: @Sendable (DownloadBoard) async throws(DownloadError) -> DownloadEngine
    ) async -> Result<DownloadEngine, DownloadError> {
        do throws(DownloadError) {
            let engine = try await open(board)
            board.engine.withLock { $0 = engine }
            if let network { board.networkChanged(await network.status) }
            return .success(engine)
        } catch {
            return .failure(error)
        }
    }

    private func watchNetwork() {
        guard watching == nil, let network = configuration.network else { return }
        let statuses = network.statuses
        watching = Task { [board] in
            for await status in statuses { board.networkChanged(status) }
        }
    }

    /// Writes the current journals of downloads, after all earlier writes. Returns once they're written.
    ///
    /// A journal that can't be written doesn't stop the download: at worst, it has a different priority after a
    /// restart.
    func save(_ ids: [UUID]) async {
        guard !ids.isEmpty, case .success(let engine)? = await opening?.value else { return }
        unsaved.formUnion(ids)
        let task = saving ?? Task { await writeJournals(engine.storage) }
        saving = task
        await task.value
    }

    private func writeJournals(_ storage: any DownloadStoring) async {
        while let id = unsaved.popFirst() {
            do throws(DownloadError) {
                switch board.kept(id) {
                case .identity(let identity): try await storage.change(identity)
                case .nothing: try await storage.remove(id)
                case .complete: break
                }
            } catch {
                // If the journal is missing, the download was completed in the meantime.
                if error.code != .taskNotFound { board.log.couldNotKeep(id, error) }
            }
        }
        saving = nil
    }

    // MARK: - The end

    /// Stops all downloads, flushes the bytes received, releases the folder, and ends all streams. Later calls throw
    /// `.shutDown`. ``restore(retryingFailed:)`` of another manager continues the downloads that were running.
    public func shutdown() async {
        let task = shuttingDown ?? Task { await stopEverything() }
        shuttingDown = task
        await task.value
    }

    private func stopEverything() async {
        let engine = await opening?.value
        for run in board.drain() { await run.value }
        watching?.cancel()
        owners?.cancel()
        await saving?.value
        board.end()
        if case .success(let engine)? = engine { await engine.storage.close() }
        board.engine.withLock { $0 = nil }
    }
}
