/// The state of a download.
public enum DownloadState: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits for its turn.
    case queued
    /// It is being loaded.
    case downloading
    /// It waits for the network, for room on the disk, or before another attempt.
    case waiting
    /// The program has paused it.
    case paused
    /// The file is in its place.
    case completed
    /// It has failed. ``DownloadManager/retry(_:)`` goes on from where it was.
    case failed
    /// The program has cancelled it; what was loaded is deleted.
    case cancelled

    /// True if nothing follows by itself: completed, failed or cancelled.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
