/// Runs one upload to its end.
package protocol UploadRunning: Sendable {
    /// Sends the file. Retries by itself.
    ///
    /// Cancelling the task pauses: throws `.cancelled`, and what the server has stays there. `report` may be called from any thread and
    /// doesn't block.
    func upload(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> UploadedFile

    /// Deletes what the server has of an upload, if it has begun and the protocol can. An error changes nothing: servers forget
    /// unfinished uploads after a time.
    func terminate(_ job: DownloadJob) async
}
