package import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Runs the downloads of one manager: loads each file with the client, and moves it into its place.
///
/// A file is right or it isn't there: a part is continued only if the server says that it's still a part of the same file, or if a
/// checksum tells at the end.
package struct DownloadRun: DownloadRunning {
    /// The rules for all downloads of a manager.
    package struct Settings: Sendable {
        /// The rules for another attempt. Default 3 attempts, 1 s, 2 s, 4 s … 30 s between them with full jitter.
        package var retry = RetryPolicy(backoff: Backoff(base: .seconds(1), cap: .seconds(30)))
        /// The limit of retries for everything that shares it; nil for none. Default nil.
        package var budget: RetryBudget?
        /// The maximum time in which no byte comes; nil for no limit. Default 60 s.
        package var idleTimeout: Duration? = .seconds(60)
        /// The room on the disk that is left free, in bytes. Default 100 MB.
        package var keepsFree: Int64 = 100_000_000
        /// The time after which a full disk is looked at again. Default 5 s.
        package var roomInterval = Duration.seconds(5)
        /// True to flush a file before it's moved into its place. Default true.
        package var flushesAtEnd = true
        /// The maximum speed of all downloads together; nil for no limit. Default nil.
        package var bytesPerSecond: Int64?
        /// The network's status, whose changes end waits; nil if nobody watches it. Default nil.
        package var network: (any NetworkStatusProvider)?
        /// Returns a new request for a file whose link was refused with a status, or nil. Default nil.
        package var renewedLink: (@Sendable (DownloadJob, _ status: Int) async -> DownloadRequest?)?
        /// Keeps how far an upload has come, and returns when its journal says so. Default nil.
        package var keepUpload: (@Sendable (UUID, UploadIdentity) async -> Void)?

        package init() {}
    }

    let client: HTTPClient
    let folder: DownloadFolder
    let threads: DownloadThreads
    let settings: Settings
    let limit: BandwidthLimit?
    let changes: NetworkChanges?

    /// Creates a runner over the client's connections. Time and random numbers are the client's.
    package init(client: HTTPClient, folder: DownloadFolder, threads: DownloadThreads, settings: Settings = Settings())
    {
        self.client = client
        self.folder = folder
        self.threads = threads
        self.settings = settings
        let clock = client.configuration.clock
        limit = settings.bytesPerSecond.map { BandwidthLimit(bytesPerSecond: $0, clock: clock) }
        changes = settings.network.map { NetworkChanges($0, clock: clock) }
    }

    package func run(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> DownloadedFile {
        do throws(DownloadError) {
            return try await load(job, report)
        } catch {
            throw error.filling(url: job.request.url)
        }
    }

    private func load(
        _ job: DownloadJob, _ report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> DownloadedFile {
        let clock = client.configuration.clock
        let (part, room) = try await threads.run { [folder] () throws(DownloadError) in
            (try folder.part(job.id, clock: clock), try folder.freeBytes())
        }
        let transfer = DownloadTransfer(self, job: job, part: part, room: room, report: report)
        do throws(DownloadError) {
            return try await transfer.load()
        } catch {
            await transfer.close()
            throw error.filling(url: transfer.link.url)
        }
    }
}
