/// An event of a download.
public struct DownloadEvent: Sendable {
    /// The kind of an event, with its details.
    public enum Kind: Sendable {
        /// The download was enqueued, or found again by ``DownloadManager/restore(retryingFailed:)``.
        case added
        /// The state has changed.
        case state(DownloadState)
        /// Bytes have arrived.
        case progress(DownloadProgress)
        /// An attempt or the download has failed. The state shows whether another attempt follows.
        case error(DownloadError)
        /// The number of concurrent ranges has changed.
        case ranges(Int)
        /// The download was removed from the manager. It has no further events.
        case removed
    }

    /// The download after the event.
    public let task: DownloadTask
    /// The kind of the event, with its details.
    public let kind: Kind

    /// Creates an event.
    public init(task: DownloadTask, kind: Kind) {
        self.task = task
        self.kind = kind
    }
}

extension DownloadEvent: CustomStringConvertible {
    /// The kind and the file, without secrets: `state completed: report.pdf`.
    public var description: String { "\(kind): \(task.name)" }
}

extension DownloadEvent.Kind: CustomStringConvertible {
    /// `added`, `state paused`, `progress 10 B`, `error network`, `ranges 4`, `removed`.
    public var description: String {
        switch self {
        case .added: "added"
        case .state(let state): "state \(state)"
        case .progress(let progress): "progress \(progress.bytes) B" + (progress.total.map { " of \($0) B" } ?? "")
        case .error(let error): "error \(error.code)"
        case .ranges(let count): "ranges \(count)"
        case .removed: "removed"
        }
    }
}
