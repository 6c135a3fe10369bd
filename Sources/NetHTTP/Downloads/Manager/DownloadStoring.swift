#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The journals of a manager's folder.
package protocol DownloadStoring: Sendable {
    /// The bytes that are free on the disk.
    func freeBytes() async throws(DownloadError) -> Int64
    /// Writes the journal of a new download.
    func create(_ identity: DownloadIdentity) async throws(DownloadError)
    /// Changes what a journal says, also of a download that runs.
    func change(_ identity: DownloadIdentity) async throws(DownloadError)
    /// Deletes the journal, and what was loaded.
    func remove(_ id: UUID) async throws(DownloadError)
    /// What the journals of the folder say.
    func restore() async throws(DownloadError) -> [RestoredDownload]
    /// Lets the folder go.
    func close() async
}

/// What a manager works with once its folder is open.
package struct DownloadEngine: Sendable {
    package let storage: any DownloadStoring
    package let runner: any DownloadRunning

    package init(storage: any DownloadStoring, runner: any DownloadRunning) {
        self.storage = storage
        self.runner = runner
    }
}
