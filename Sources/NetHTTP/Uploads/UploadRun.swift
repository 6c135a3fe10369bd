internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Runs the uploads of one manager: sends each file with the client.
///
/// Only the server knows the progress of an upload: after every interruption its offset is requested, and the missing
/// bytes are sent again.
package struct UploadRun: UploadRunning {
    let client: HTTPClient
    /// Removes the journal of a complete upload.
    let removeJournal: @Sendable (UUID) async throws(DownloadError) -> Void
    let threads: DownloadThreads
    let settings: DownloadRun.Settings
    let limit: BandwidthLimit?
    let changes: NetworkChanges?

    /// Creates a runner with the client, the folder, the settings and the network observer of a manager's downloads.
    /// It has its own bandwidth limit: sending doesn't slow down receiving.
    package init(_ downloads: DownloadRun) {
        let (folder, threads) = (downloads.folder, downloads.threads)
        self.init(client: downloads.client, threads: threads, settings: downloads.settings, changes: downloads.changes)
        {
            id throws(DownloadError) in
            try await threads.run { () throws(DownloadError) in try folder.remove(id) }
        }
    }

    /// Creates a runner that isn't part of a manager for downloads.
    init(
        client: HTTPClient, threads: DownloadThreads, settings: DownloadRun.Settings, changes: NetworkChanges?,
        removeJournal: @escaping @Sendable (UUID) async throws(DownloadError) -> Void
    ) {
        self.client = client
        self.threads = threads
        self.settings = settings
        self.changes = changes
        self.removeJournal = removeJournal
        let clock = client.configuration.clock
        limit = settings.bytesPerSecond.map { BandwidthLimit(bytesPerSecond: $0, clock: clock) }
    }

    package func upload(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> UploadedFile {
        guard let upload = job.identity.upload else {
            throw DownloadError(
                .fileSystem, message: "the journal names no file to upload; cancel the upload, and enqueue it again")
        }
        do throws(DownloadError) {
            var transfer = UploadTransfer(self, job: job, upload: upload, report: report)
            return try await transfer.send()
        } catch {
            throw error.filling(url: job.request.url)
        }
    }

    package func terminate(_ job: DownloadJob) async {
        guard let upload = job.identity.upload, let resource = upload.resource else { return }
        await UploadTransfer(self, job: job, upload: upload, report: { _ in }).delete(resource)
    }
}
