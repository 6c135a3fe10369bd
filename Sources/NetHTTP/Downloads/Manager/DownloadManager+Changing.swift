public import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Changes of downloads. Each returns when it is done and kept in the journal; one that changes nothing, such as a pause of what is
/// paused, returns at once. All throw `.taskNotFound` for an ID that the manager doesn't have.
extension DownloadManager {
    /// Pauses a download that waits or runs: what has come stays. Does nothing if it has ended.
    public func pause(_ id: UUID) async throws(DownloadError) {
        await finish(try board.pause(id))
    }

    /// Lets a paused download go on. Throws `.alreadyQueued` if another download of its URL has begun meanwhile.
    public func resume(_ id: UUID) async throws(DownloadError) {
        guard shuttingDown == nil else { throw .shutDown }
        await finish(try board.resume(id))
    }

    /// Ends a download, deletes what has come, and removes it from the list. Does nothing if it is complete.
    ///
    /// If it's an upload, asks the server to delete its part, and waits for the response for at most 10 s. A server that doesn't
    /// respond removes unfinished uploads after a time of its own.
    ///
    /// A download that completes at the same time stays.
    public func cancel(_ id: UUID) async throws(DownloadError) {
        await finish(try board.cancel(id))
    }

    /// Removes a download from the list. The file of a complete one stays; any other is cancelled.
    public func forget(_ id: UUID) async throws(DownloadError) {
        await finish(try board.forget(id))
    }

    /// Tries a failed download again, from where it is, behind those that wait. Does nothing for any other. Throws
    /// `.alreadyQueued` and `.queueFull`.
    public func retry(_ id: UUID) async throws(DownloadError) {
        guard shuttingDown == nil else { throw .shutDown }
        await finish(try board.retry(id))
    }

    /// Changes the priority of a download. One that runs goes on in any case.
    public func setPriority(_ priority: RequestPriority, of id: UUID) async throws(DownloadError) {
        await finish(try board.setPriority(priority, of: id))
    }

    /// Pauses all that wait or run.
    public func pauseAll() async { await finish(board.pauseAll()) }

    /// Lets all paused downloads go on, in their order.
    public func resumeAll() async {
        guard shuttingDown == nil else { return }
        await finish(board.resumeAll())
    }

    /// Cancels all that aren't complete.
    public func cancelAll() async { await finish(board.cancelAll()) }

    /// Removes all complete downloads from the list. Their files stay.
    public func removeCompleted() { board.removeCompleted() }

    /// Waits for what a change has stopped, then writes the journals.
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
