#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
    /// The number of bytes in the file.
    public var bytes: Int64
    /// The size of the file in bytes; nil if unknown.
    public var total: Int64?
    /// The bytes per second over the last 3 seconds, on the monotonic clock; nil until there are two measurements.
    public var speed: Double?
    /// The file; nil until the download is complete.
    public var localURL: URL?

    /// Creates a value.
    public init(bytes: Int64 = 0, total: Int64? = nil, speed: Double? = nil, localURL: URL? = nil) {
        self.bytes = bytes
        self.total = total
        self.speed = speed
        self.localURL = localURL
    }

    /// The fraction from 0 to 1; nil if the size is unknown.
    public var fraction: Double? {
        guard !isCompleted else { return 1 }
        guard let total, total > 0 else { return nil }
        return min(1, max(0, Double(bytes) / Double(total)))
    }
    /// True if the size is unknown, so there is no ``fraction``.
    public var isIndeterminate: Bool { fraction == nil }
    /// True if the file is complete and in its final place.
    public var isCompleted: Bool { localURL != nil }
    /// The estimated remaining time at this speed; nil if the size or the speed is unknown, or the speed is 0.
    public var timeLeft: Duration? {
        guard let total, let speed, speed > 0, !isCompleted else { return nil }
        // At most a century, so that no speed causes an overflow.
        return .seconds(min(Double(max(0, total - bytes)) / speed, 100 * 366 * 86_400))
    }
}
