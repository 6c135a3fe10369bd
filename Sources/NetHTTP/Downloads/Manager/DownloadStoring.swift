#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The journals of a manager's folder.
package protocol DownloadStoring: Sendable {
    /// Returns the number of free bytes on the disk.
    func freeBytes() async throws(DownloadError) -> Int64
    /// Returns the part of this number of bytes that must stay free on the disk, which may be small.
    func kept(of keepsFree: Int64) async throws(DownloadError) -> Int64
    /// Writes the journal of a new download.
    func create(_ identity: DownloadIdentity) async throws(DownloadError)
    /// Changes the content of a journal, also for a running download.
    func change(_ identity: DownloadIdentity) async throws(DownloadError)
    /// Deletes the journal and the partial file.
    func remove(_ id: UUID) async throws(DownloadError)
    /// Returns the content of the journals in the folder.
    func restore() async throws(DownloadError) -> [RestoredDownload]
    /// Releases the folder.
    func close() async
}

extension DownloadStoring {
    package func kept(of keepsFree: Int64) async throws(DownloadError) -> Int64 { keepsFree }
}

/// The result of a run.
enum TransferredFile: Sendable {
    case downloaded(DownloadedFile)
    case uploaded(UploadedFile)
}

/// The services of a manager once its folder is open.
package struct DownloadEngine: Sendable {
    package let storage: any DownloadStoring
    /// Nil if the manager doesn't download.
    package let runner: (any DownloadRunning)?
    /// Nil if the manager doesn't upload.
    package let uploader: (any UploadRunning)?

    package init(
        storage: any DownloadStoring, runner: (any DownloadRunning)?, uploader: (any UploadRunning)? = nil
    ) {
        self.storage = storage
        self.runner = runner
        self.uploader = uploader
    }

    /// Runs a download or an upload to its end.
    func run(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> TransferredFile {
        guard job.identity.upload != nil else {
            guard let runner else {
                throw DownloadError(.fileSystem, message: "this manager doesn't download; use another one")
            }
            return .downloaded(try await runner.run(job, report: report))
        }
        guard let uploader else {
            throw DownloadError(
                .fileSystem, message: "this manager doesn't upload; use another one")
        }
        return .uploaded(try await uploader.upload(job, report: report))
    }
}
