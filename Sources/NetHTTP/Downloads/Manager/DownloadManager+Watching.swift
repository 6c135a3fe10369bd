public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Observation of downloads. Each of the sequences also has a Combine publisher, if Combine is available:
/// `manager.events.publisher()`.
extension DownloadManager {
    /// The number of events that are buffered for a slow consumer of ``events``.
    package static let standardBuffering = ActivityBuffering.newest(1000)

    /// A snapshot of all downloads, in the order in which they were added.
    public nonisolated var tasks: [DownloadTask] { board.tasks }

    /// Returns a snapshot of a download; nil if the manager doesn't have it.
    public nonisolated func task(_ id: UUID) -> DownloadTask? { board.task(id) }

    /// Every event from now on, for one consumer. The newest 1,000 are buffered for a slow one; each contains the
    /// whole task, so dropping older events loses no state. Ends when the manager is shut down.
    public nonisolated var events: AsyncStream<DownloadEvent> { events(buffering: Self.standardBuffering) }

    /// Returns every event from now on, with a buffer of another size.
    public nonisolated func events(buffering: ActivityBuffering) -> AsyncStream<DownloadEvent> {
        board.events(buffering)
    }

    /// The list of all downloads: now, then after each change. A slow consumer gets only the newest list.
    public nonisolated var lists: DownloadLists { DownloadLists(changes: board.changes(), board: board) }

    /// Returns the progress of a download: now, then at most every 100 ms. A slow consumer gets only the newest
    /// value.
    ///
    /// Ends when the download is complete; throws if it failed or was cancelled, and `.taskNotFound`.
    public nonisolated func progress(of id: UUID) -> DownloadUpdates { DownloadUpdates(stream: board.progress(of: id)) }

    /// Returns the states of a download: the current one, then each change. Ends when the download has completed,
    /// failed or was cancelled, and immediately for an ID that the manager doesn't have.
    public nonisolated func states(of id: UUID) -> AsyncStream<DownloadState> { board.states(of: id) }

    /// Waits until a download is complete, and returns its file.
    ///
    /// Throws the error of a failed download; `.cancelled` if the download or the waiting task was cancelled, the
    /// latter of which doesn't affect the download; `.taskNotFound`, and `.shutDown`. While the download is paused,
    /// the task keeps waiting.
    public nonisolated func file(of id: UUID) async throws(DownloadError) -> DownloadedFile {
        for try await progress in progress(of: id) where progress.isCompleted {
            if let file = board.file(of: id) { return file }
            // The download was removed from the list in the meantime.
            if let url = progress.localURL { return DownloadedFile(path: url.path, bytes: progress.bytes) }
        }
        throw DownloadError(.cancelled, message: "the task that waited for the download was cancelled")
    }
}
