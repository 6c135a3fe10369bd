/// The state of a download or an upload.
public enum DownloadState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The transfer waits for its turn in the queue.
    case queued
    /// The file is being downloaded.
    case downloading
    /// The file is being uploaded.
    case uploading
    /// The transfer waits for the network, for disk space, or for the next attempt.
    case waiting
    /// The app has paused the transfer.
    case paused
    /// The transfer is complete: the file is in its final place, or on the server.
    case completed
    /// The transfer has failed. ``DownloadManager/retry(_:)`` continues it.
    case failed
    /// The app has cancelled the transfer; the partial file is deleted, locally or on the server.
    case cancelled

    /// True while bytes are transferred.
    public var isRunning: Bool { self == .downloading || self == .uploading }

    /// True if the state is final: completed, failed or cancelled.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
