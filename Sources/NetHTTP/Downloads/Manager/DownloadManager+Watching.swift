public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What watches downloads. Each of the sequences has a Combine publisher too, where there is Combine: `manager.events.publisher()`.
extension DownloadManager {
    /// The events that are kept for a slow consumer of ``events``.
    package static let standardBuffering = ActivityBuffering.newest(1000)

    /// All downloads as they are now, in the order in which they were added.
    public nonisolated var tasks: [DownloadTask] { board.tasks }

    /// A download as it is now; nil if the manager doesn't have it.
    public nonisolated func task(_ id: UUID) -> DownloadTask? { board.task(id) }

    /// Every event from now on, for one consumer. The newest 1,000 are kept for a slow one; each has the whole task, so that no
    /// state is lost with the ones before. Ends when the manager is shut down.
    public nonisolated var events: AsyncStream<DownloadEvent> { events(buffering: Self.standardBuffering) }

    /// Returns every event from now on, with a buffer of another size.
    public nonisolated func events(buffering: ActivityBuffering) -> AsyncStream<DownloadEvent> {
        board.events(buffering)
    }

    /// All downloads: as they are now, then after each change. A slow consumer sees the newest list only.
    public nonisolated var lists: DownloadLists { DownloadLists(changes: board.changes(), board: board) }

    /// The progress of a download: as it is now, then at most each 100 ms. A slow consumer sees the newest only.
    ///
    /// Ends when the download is complete; throws when it has failed or was cancelled, and `.taskNotFound`.
    public nonisolated func progress(of id: UUID) -> DownloadUpdates { DownloadUpdates(stream: board.progress(of: id)) }

    /// The states of a download: the one now, then each change. Ends when the download has completed, failed or was cancelled, and
    /// at once for an ID that the manager doesn't have.
    public nonisolated func states(of id: UUID) -> AsyncStream<DownloadState> { board.states(of: id) }

    /// Waits until a download is complete, and returns its file.
    ///
    /// Throws the error of a download that has failed, `.cancelled` if it was cancelled, or if the waiting task was, which the
    /// download doesn't notice; `.taskNotFound`, and `.shutDown`. It waits as long as the download is paused.
    public nonisolated func file(of id: UUID) async throws(DownloadError) -> DownloadedFile {
        for try await progress in progress(of: id) where progress.isCompleted {
            if let file = board.file(of: id) { return file }
            // Removed from the list since.
            if let url = progress.localURL { return DownloadedFile(path: url.path, bytes: progress.bytes) }
        }
        throw DownloadError(.cancelled, message: "the task that waited for the download was cancelled")
    }
}
