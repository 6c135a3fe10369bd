#if Tools
internal import NetCore
internal import NetHTTP
extension DownloadManager {
    init(client: HTTPClient, configuration: Configuration) {
        self.init(
            client: client, configuration: configuration,
            open: { () throws(DownloadError) in
                let threads = DownloadThreads()
                let folder = try await threads.run { () throws(DownloadError) in
                    try DownloadFolder.open(configuration.folder)
                }
                var settings = DownloadRun.Settings()
                settings.idleTimeout = configuration.idleTimeout
                settings.keepsFree = configuration.keepsFree
                settings.flushesAtEnd = configuration.flushesAtEnd
                settings.bytesPerSecond = configuration.bytesPerSecond
                return DownloadEngine(
                    storage: FolderStorage(folder, threads: threads),
                    runner: DownloadRun(client: client, folder: folder, threads: threads, settings: settings))
            })
    }
}
#endif
