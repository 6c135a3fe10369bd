/// The progress of one download. A slow consumer gets only the newest value.
///
/// Ends when the download is complete, with a value whose ``DownloadProgress/localURL`` is the file. Throws the error
/// of a failed download, `.cancelled` if it was cancelled or removed, and `.shutDown` when the manager is shut down.
/// While the download is paused or waiting, the sequence waits too.
///
///     let updates = try await manager.download(DownloadRequest("https://example.com/film.mp4"))
///     for try await progress in updates {
///         print(progress.fraction ?? 0, progress.speed ?? 0)
///     }
public struct DownloadUpdates: AsyncSequence, Sendable {
    public typealias Element = DownloadProgress
    public typealias Failure = DownloadError

    let stream: AsyncStream<Result<DownloadProgress, DownloadError>>

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }

    /// Iterates over the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<Result<DownloadProgress, DownloadError>>.AsyncIterator

        public mutating func next() async throws(DownloadError) -> DownloadProgress? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DownloadError)
            -> DownloadProgress?
        {
            try await base.next(isolation: actor)?.get()
        }
    }
}

/// The list of all downloads of a manager, in the order in which they were added: now, then after each change. A slow
/// consumer gets only the newest list. Ends when the manager is shut down.
public struct DownloadLists: AsyncSequence, Sendable {
    public typealias Element = [DownloadTask]
    public typealias Failure = Never

    let changes: AsyncStream<Void>
    let board: DownloadBoard

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: changes.makeAsyncIterator(), board: board)
    }

    /// Iterates over the lists.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<Void>.AsyncIterator
        let board: DownloadBoard

        public mutating func next() async -> [DownloadTask]? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> [DownloadTask]? {
            await base.next(isolation: actor) == nil ? nil : board.tasks
        }
    }
}
