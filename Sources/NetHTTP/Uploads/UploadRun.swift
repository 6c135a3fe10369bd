internal import NetCore

/// Runs the uploads of one manager: sends each file with the client.
///
/// Only the server knows the progress of an upload: after every interruption its offset is requested, and the missing
/// bytes are sent again.
package struct UploadRun: UploadRunning {
    let client: HTTPClient
    let folder: DownloadFolder
    let threads: DownloadThreads
    let settings: DownloadRun.Settings
    let limit: BandwidthLimit?
    let changes: NetworkChanges?

    /// Creates a runner with the client, the folder, the settings and the network observer of a manager's downloads.
    /// It has its own bandwidth limit: sending doesn't slow down receiving.
    package init(_ downloads: DownloadRun) {
        client = downloads.client
        folder = downloads.folder
        threads = downloads.threads
        settings = downloads.settings
        changes = downloads.changes
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
