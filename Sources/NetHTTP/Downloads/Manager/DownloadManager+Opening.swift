internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DownloadManager {
    /// Creates a manager that uses a client: its connections, credentials, headers, listeners, redaction and clock.
    ///
    /// Nothing happens before the first use, which opens the folder.
    ///
    /// - Parameters:
    ///   - client: The client. Its retry middleware isn't used, because a download's retry continues with the bytes
    ///     received; neither is its cache.
    ///   - configuration: The settings.
    public init(client: HTTPClient, configuration: Configuration = Configuration()) {
        self.init(client: client, configuration: configuration) { (board) throws(DownloadError) in
            let threads = DownloadThreads()
            let folder = try await threads.run { () throws(DownloadError) in
                try DownloadFolder.open(configuration.folder)
            }
            var settings = configuration.runSettings(board)
            settings.keepsFree = folder.kept(of: settings.keepsFree)
            let runner = DownloadRun(client: client, folder: folder, threads: threads, settings: settings)
            return DownloadEngine(
                storage: FolderStorage(folder, threads: threads), runner: runner, uploader: UploadRun(runner))
        }
    }

    /// Creates a manager for the uploads of a program, whose journals are in a folder for each file and target.
    ///
    /// - Parameters:
    ///   - states: The path of the folder for these folders.
    ///   - uploads: The uploads that will be added: those that an earlier process has begun are continued.
    package init(client: HTTPClient, configuration: Configuration, uploads: [UploadRequest], states: String) {
        self.init(client: client, configuration: configuration) { (board) throws(DownloadError) in
            let threads = DownloadThreads()
            let places = uploads.compactMap { try? DownloadPlace($0.url, file: UploadIdentity($0).file) }
            let storage = UploadStates(path: states, places: places, threads: threads)
            let settings = configuration.runSettings(board)
            let changes = settings.network.map { NetworkChanges($0, clock: client.configuration.clock) }
            let uploader = UploadRun(client: client, threads: threads, settings: settings, changes: changes) {
                id throws(DownloadError) in try await storage.remove(id)
            }
            return DownloadEngine(storage: storage, runner: nil, uploader: uploader)
        }
    }
}

extension DownloadManager.Configuration {
    /// The settings of runs. The board is notified of a new link, whose URL is then written to the journal.
    fileprivate func runSettings(_ board: DownloadBoard) -> DownloadRun.Settings {
        var settings = DownloadRun.Settings()
        settings.retry = retry
        settings.budget = retryBudget
        settings.idleTimeout = idleTimeout
        settings.keepsFree = keepsFree
        settings.roomTimeout = diskSpaceTimeout
        settings.flushesAtEnd = flushesAtEnd
        settings.bytesPerSecond = bytesPerSecond
        settings.network = network
        settings.keepUpload = { [weak board] id, upload in
            board?.keep(id, upload)
            await board?.save.withLock { $0 }?([id])
        }
        if let renewedLink {
            settings.renewedLink = { [weak board] job, status in
                guard let task = board?.task(job.id), let request = await renewedLink(task, status) else { return nil }
                board?.renewed(job.id, request)
                return request
            }
        }
        return settings
    }
}
