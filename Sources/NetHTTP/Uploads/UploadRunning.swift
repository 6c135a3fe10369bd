/// Runs one upload to its end.
package protocol UploadRunning: Sendable {
    /// Sends the file, with retries.
    ///
    /// Cancelling the task pauses: throws `.cancelled`, and the server keeps the bytes it has. `report` may be called
    /// from any thread and doesn't block.
    func upload(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> UploadedFile

    /// Deletes an upload from the server, if it has begun and the protocol supports that. Errors are ignored: servers
    /// discard unfinished uploads after some time.
    func terminate(_ job: DownloadJob) async
}
