/// The state of a download or an upload.
public enum DownloadState: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits for its turn.
    case queued
    /// It is being loaded.
    case downloading
    /// It is being sent.
    case uploading
    /// It waits for the network, for room on the disk, or before another attempt.
    case waiting
    /// The program has paused it.
    case paused
    /// The file is in its place: here, or at the server.
    case completed
    /// It has failed. ``DownloadManager/retry(_:)`` goes on from where it was.
    case failed
    /// The program has cancelled it; what was loaded is deleted, here or at the server.
    case cancelled

    /// True while bytes are transferred.
    public var isRunning: Bool { self == .downloading || self == .uploading }

    /// True if nothing follows by itself: completed, failed or cancelled.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
