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
            let runner = DownloadRun(
                client: client, folder: folder, threads: threads,
                settings: configuration.runSettings(board))
            return DownloadEngine(
                storage: FolderStorage(folder, threads: threads), runner: runner, uploader: UploadRun(runner))
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
