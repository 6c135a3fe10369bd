package import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Runs the downloads of one manager: loads each file with the client, and moves it to its final place.
///
/// A file is either correct or missing: a partial file is continued only if the server confirms that it belongs to
/// the same file, or if a checksum verifies the result.
package struct DownloadRun: DownloadRunning {
    /// The rules for all downloads of a manager.
    package struct Settings: Sendable {
        /// The rules for retries. Default: 3 attempts, 1 s, 2 s, 4 s … 30 s between them with full jitter.
        package var retry = RetryPolicy(backoff: Backoff(base: .seconds(1), cap: .seconds(30)))
        /// The limit of retries, shared with all other users of the budget; nil for none. Default nil.
        package var budget: RetryBudget?
        /// The maximum time without a received byte; nil for no limit. Default 60 s.
        package var idleTimeout: Duration? = .seconds(60)
        /// The disk space to leave free, in bytes. Default 100 MB.
        package var keepsFree: Int64 = 100_000_000
        /// The interval at which a full disk is checked again. Default 5 s.
        package var roomInterval = Duration.seconds(5)
        /// The maximum time to wait for disk space; nil for no limit. Default nil.
        package var roomTimeout: Duration?
        /// True to flush a file before it's moved to its final place. Default true.
        package var flushesAtEnd = true
        /// The maximum total speed of all downloads in bytes per second; nil for no limit. Default nil.
        package var bytesPerSecond: Int64?
        /// The source of the network's status, whose changes end waits; nil if it isn't observed. Default nil.
        package var network: (any NetworkStatusProvider)?
        /// Returns a new request for a file whose link was refused with a status; nil to fail. Default nil.
        package var renewedLink: (@Sendable (DownloadJob, _ status: Int) async -> DownloadRequest?)?
        /// Stores the progress of an upload, and returns once it's written to the journal. Default nil.
        package var keepUpload: (@Sendable (UUID, UploadIdentity) async -> Void)?

        package init() {}
    }

    let client: HTTPClient
    let folder: DownloadFolder
    let threads: DownloadThreads
    let settings: Settings
    let limit: BandwidthLimit?
    let changes: NetworkChanges?

    /// Creates a runner that uses the client's connections, clock and random numbers.
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
