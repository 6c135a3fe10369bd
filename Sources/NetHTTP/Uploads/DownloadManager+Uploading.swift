internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Uploads. They share the queue with downloads: ``pause(_:)``, ``resume(_:)``, ``retry(_:)``, ``events`` and the
/// rest apply to both.
extension DownloadManager {
    /// Adds an upload, which starts as soon as the queue allows; returns its ID once its journal has been written.
    ///
    /// The upload survives the end of the program: after ``restore(retryingFailed:)`` it continues with the bytes that
    /// the server doesn't have yet. If the file has changed by then (its size, time, inode, and its first and last
    /// 64 KiB), it starts over.
    ///
    /// Throws `.fileSystem` if the file can't be read, `.invalidURL` for a URL or metadata that can't be sent,
    /// `.alreadyQueued` if an upload of the file to that URL is unfinished, `.queueFull`, `.folderInUse`, and
    /// `.shutDown`.
    ///
    ///     var request = UploadRequest("/tmp/film.mp4", to: "https://example.com/files/")
    ///     request.uploadProtocol = .tus
    ///     let id = try await manager.enqueue(request)
    @discardableResult
    public func enqueue(_ request: UploadRequest) async throws(DownloadError) -> UUID {
        if let problem = request.problem { throw DownloadError(.invalidURL, message: problem, url: request.url) }
        let upload = UploadIdentity(request)
        let place = try DownloadPlace(request.url, file: upload.file)
        let engine = try await engine()
        // Detects a mistyped path here instead of later.
        do throws(NetError) {
            _ = try await FileThreads.shared.run { () throws(NetError) in try ReadableFile(path: upload.file) }
        } catch {
            throw DownloadError(
                .fileSystem, message: "\(error.message); check the path", url: request.url, underlying: error)
        }
        let settings = client.configuration
        let date = settings.clock.date()
        let id = CallID(date: date, random: settings.random).uuid
        let login = await client.login(ofTransferFrom: request.url)
        let download = DownloadRequest(request, name: upload.name)
        return try await add(
            id, date, .init(request: download, place: place, upload: upload, login: login), engine)
    }

    /// Adds an upload and returns its progress: ``enqueue(_:)-(UploadRequest)`` and ``progress(of:)``.
    public func upload(_ request: UploadRequest) async throws(DownloadError) -> DownloadUpdates {
        progress(of: try await enqueue(request))
    }

    /// Waits until an upload is complete, and returns its result with the server's last response.
    ///
    /// Throws like ``file(of:)``, and `.taskNotFound` if the upload was removed from the list before its result was
    /// read.
    public nonisolated func uploadedFile(of id: UUID) async throws(DownloadError) -> UploadedFile {
        for try await progress in progress(of: id) where progress.isCompleted {
            guard let file = board.uploadedFile(of: id) else { throw .notFound(id) }
            return file
        }
        throw DownloadError(.cancelled, message: "the task that waited for the upload was cancelled")
    }
}
