#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The journals of a folder; all file access runs on a manager's threads.
package struct FolderStorage: DownloadStoring {
    private let folder: DownloadFolder
    private let threads: DownloadThreads

    package init(_ folder: DownloadFolder, threads: DownloadThreads) {
        self.folder = folder
        self.threads = threads
    }

    package func freeBytes() async throws(DownloadError) -> Int64 {
        try await threads.run { [folder] () throws(DownloadError) in try folder.freeBytes() }
    }

    package func kept(of keepsFree: Int64) async throws(DownloadError) -> Int64 { folder.kept(of: keepsFree) }

    package func create(_ identity: DownloadIdentity) async throws(DownloadError) {
        try await threads.run { [folder] () throws(DownloadError) in try folder.create(identity) }
    }

    package func change(_ identity: DownloadIdentity) async throws(DownloadError) {
        try await threads.run { [folder] () throws(DownloadError) in try folder.change(identity) }
    }

    package func remove(_ id: UUID) async throws(DownloadError) {
        try await threads.run { [folder] () throws(DownloadError) in try folder.remove(id) }
    }

    package func restore() async throws(DownloadError) -> [RestoredDownload] {
        try await threads.run { [folder] () throws(DownloadError) in try folder.restore() }
    }

    package func close() async {
        _ = try? await threads.run { [folder] () throws(DownloadError) in folder.close() }
        threads.end()
    }
}
