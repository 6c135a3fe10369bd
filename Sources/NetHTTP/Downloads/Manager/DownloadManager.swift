internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Downloads and uploads files, some at a time, and keeps what was transferred over pauses, errors and the end of the program.
///
/// A file is in its place when it is whole and right; until then it is a part in the folder `.downloads`, with a journal that says what
/// it is. ``restore()`` takes up what an earlier manager of the folder has left. One manager uses a folder at a time: another one is
/// told by `.folderInUse` who does.
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
/// An upload is in the same queue, with the same events, and counts towards the same limits: ``enqueue(_:)-(UploadRequest)``. What
/// has come of it is at the server, which says how far it is; the journal says where.
///
///     let upload = try await manager.enqueue(UploadRequest("/tmp/film.mp4", to: "https://example.com/files/"))
///     print(try await manager.uploadedFile(of: upload).location ?? "")
///
/// Keep the manager as long as it is to load: one that's released stops its downloads, which a ``restore()`` finds again.
/// Everything that watches is without limit in number, and never slows a download down.
public actor DownloadManager {
    /// The settings that the manager was created with.
    public nonisolated let configuration: Configuration

    let client: HTTPClient
    nonisolated let board: DownloadBoard
    private let open: @Sendable (DownloadBoard) async throws(DownloadError) -> DownloadEngine
    private var opening: Task<Result<DownloadEngine, DownloadError>, Never>?
    private var watching: Task<Void, Never>?
    /// The downloads whose journals have to be written, and the task that writes them.
    private var unsaved: Set<UUID> = []
    private var saving: Task<Void, Never>?
    var shuttingDown: Task<Void, Never>?

    /// Creates a manager that opens its folder by a closure, at its first use.
    init(
        client: HTTPClient, configuration: Configuration,
        open: @escaping @Sendable (DownloadBoard) async throws(DownloadError) -> DownloadEngine
    ) {
        self.client = client
        self.configuration = configuration
        self.open = open
        let settings = client.configuration
        board = DownloadBoard(
            configuration, clock: settings.clock,
            log: DownloadLog(
                logger: configuration.logger ?? settings.logger, level: configuration.logLevel,
                detail: configuration.logDetail, redaction: settings.redaction),
            jobs: DownloadJobs(
                listeners: settings.listeners, clock: settings.clock, redaction: settings.redaction))
        board.save.withLock { $0 = { [weak self] in await self?.save($0) } }
    }

    deinit {
        watching?.cancel()
        board.abandon()
    }

    // MARK: - The folder

    /// Opens the folder once; after an error, again at the next use.
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

    /// The network's status is known before the first download can start.
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

    /// Writes what the journal of a download is to say, after everything that was written before. Returns when it is written.
    ///
    /// A journal that can't be written doesn't stop the download: at worst it has another priority after a restart.
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
                // Without a journal it was completed meanwhile.
                if error.code != .taskNotFound { board.log.couldNotKeep(id, error) }
            }
        }
        saving = nil
    }

    // MARK: - The end

    /// Stops all downloads, which flushes what has come, lets the folder go, and ends everything that watches. What comes later
    /// throws `.shutDown`. A ``restore()`` of another manager goes on with what was running.
    public func shutdown() async {
        let task = shuttingDown ?? Task { await stopEverything() }
        shuttingDown = task
        await task.value
    }

    private func stopEverything() async {
        let engine = await opening?.value
        for run in board.drain() { await run.value }
        watching?.cancel()
        await saving?.value
        board.end()
        if case .success(let engine)? = engine { await engine.storage.close() }
        board.engine.withLock { $0 = nil }
    }
}
