public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Changes of downloads. Each function returns once the change is done and written to the journal, or immediately if
/// there is nothing to change, such as for a pause of a paused download. All throw `.taskNotFound` for an ID that the
/// manager doesn't have.
extension DownloadManager {
    /// Pauses a waiting or running download, and keeps the bytes received. Does nothing if it has ended.
    public func pause(_ id: UUID) async throws(DownloadError) {
        await finish(try board.pause(id))
    }

    /// Resumes a paused download. Throws `.alreadyQueued` if another download of its URL has begun in the meantime.
    public func resume(_ id: UUID) async throws(DownloadError) {
        guard shuttingDown == nil else { throw .shutDown }
        await finish(try board.resume(id))
    }

    /// Ends a download, deletes its partial file, and removes it from the list. Does nothing if it's complete.
    ///
    /// For an upload, asks the server to delete its part, and waits for the response for at most 10 s. A server that
    /// doesn't respond removes unfinished uploads after some time by itself.
    ///
    /// A download that completes at the same time isn't removed.
    public func cancel(_ id: UUID) async throws(DownloadError) {
        await finish(try board.cancel(id))
    }

    /// Removes a download from the list. The file of a complete download stays; any other download is cancelled.
    public func forget(_ id: UUID) async throws(DownloadError) {
        await finish(try board.forget(id))
    }

    /// Retries a failed download, continuing with the bytes received, behind the waiting ones. Does nothing for any
    /// other download. Throws `.alreadyQueued` and `.queueFull`.
    public func retry(_ id: UUID) async throws(DownloadError) {
        guard shuttingDown == nil else { throw .shutDown }
        await finish(try board.retry(id))
    }

    /// Changes the priority of a download. A running download isn't interrupted.
    public func setPriority(_ priority: RequestPriority, of id: UUID) async throws(DownloadError) {
        await finish(try board.setPriority(priority, of: id))
    }

    /// Pauses all waiting and running downloads.
    public func pauseAll() async { await finish(board.pauseAll()) }

    /// Resumes all paused downloads, in order.
    public func resumeAll() async {
        guard shuttingDown == nil else { return }
        await finish(board.resumeAll())
    }

    /// Cancels all downloads that aren't complete.
    public func cancelAll() async { await finish(board.cancelAll()) }

    /// Removes all complete downloads from the list; keeps their files.
    public func removeCompleted() { board.removeCompleted() }

    /// Waits for the runs that a change has stopped, then writes the journals.
    private func finish(_ change: DownloadChange) async {
        for run in change.runs { await run.value }
        await save(change.ids)
        let orphans = board.takeOrphans()
        guard !orphans.isEmpty, let uploader = board.engine.withLock({ $0?.uploader }) else { return }
        await withDiscardingTaskGroup { group in
            for job in orphans { group.addTask { await uploader.terminate(job) } }
        }
    }
}
