#if canImport(Darwin)
internal import Foundation
internal import HTTPTypes
internal import NetCore

/// Runs a manager's uploads in the background: the system sends the whole file in one request, even while the app is
/// suspended.
///
/// If both the system and the server support the IETF's resumable uploads, the system continues an interrupted
/// request by itself. Otherwise the request starts over, and so does a paused upload.
/// Otherwise the request begins again, and so does a paused upload.
struct BackgroundUpload: UploadRunning {
    let background: BackgroundDownloads
    let client: HTTPClient
    let folder: DownloadFolder
    let threads: DownloadThreads

    func upload(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> UploadedFile {
        guard let upload = job.identity.upload else {
            throw DownloadError(
                .fileSystem, message: "the journal names no file to upload; cancel the upload, and enqueue it again")
        }
        let (delegate, id) = (background.delegate, job.id)
        delegate.follow(id, report)
        defer { delegate.follow(id, nil) }
        let length = try await threads.run { () throws(DownloadError) in try UploadSource(path: upload.file).length }
        report(.began(total: length, bytes: 0, name: upload.name))
        let task = try await task(job, upload)
        task?.resume()
        let result = await withTaskCancellationHandler {
            await delegate.result(of: id)
        } onCancel: {
            task?.cancel()
        }
        switch result {
        case .success(let loaded): return try await finish(loaded, job, upload, length, report)
        case .failure(let error) where Task.isCancelled || (error as? URLError)?.code == .cancelled:
            throw DownloadError(.cancelled, message: "the upload was paused or cancelled", url: job.request.url)
        case .failure(let error): throw BackgroundRun.failure(error, job, .sending)
        }
    }

    /// Does nothing: there is no partial upload that could be deleted.
    func terminate(_ job: DownloadJob) async {}

    /// Returns the task to wait for: a running one or a new one; nil if the result is already available.
    private func task(_ job: DownloadJob, _ upload: UploadIdentity) async throws(DownloadError) -> URLSessionUploadTask?
    {
        if background.delegate.hasResult(of: job.id) { return nil }
        if let task = await background.uploadTask(job.id) { return task }
        do throws(NetError) {
            var headers = job.request.headers
            headers[.contentType] = upload.type
            headers[.contentDisposition] = ContentDisposition(kind: "inline", filename: upload.name).value
            let request = Request<Bytes>(
                url: job.request.url, method: HTTPRequest.Method(upload.method) ?? .post, headers: headers,
                serializer: .bytes)
            return background.makeUploadTask(job.id, try client.prepare(request).urlRequest, file: upload.file)
        } catch {
            throw DownloadError(
                .invalidURL, message: "the URL can't be requested: \(error.message)", url: job.request.url,
                underlying: error)
        }
    }

    private func finish(
        _ loaded: BackgroundSessionDelegate.Loaded, _ job: DownloadJob, _ upload: UploadIdentity, _ length: Int64,
        _ report: @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> UploadedFile {
        let status = loaded.head?.status.code ?? 200
        report(.response(status: status, type: nil))
        guard (200...299).contains(status) else {
            throw DownloadError(
                .rejected, message: "the server responded to the upload with status \(status)", url: job.request.url,
                status: status)
        }
        try await threads.run { [folder] () throws(DownloadError) in try folder.remove(job.id) }
        report(.bytes(length))
        return UploadedFile(
            path: upload.file, bytes: length, uploadProtocol: .plain,
            location: loaded.head?[.location].map {
                URLReference($0).resolved(against: URLReference(job.request.url)).description
            }, response: loaded.head, body: Bytes(loaded.body))
    }
}
#endif
