extension DownloadError {
    /// The kind of an error; an open set, so that new codes don't break callers.
    public struct Code: Hashable, Sendable, RawRepresentable, Codable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The URL isn't one of HTTP.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// A task with the same URL is queued, running or paused.
        public static let alreadyQueued = Code(rawValue: "alreadyQueued")
        /// The queue has as many tasks as it may have.
        public static let queueFull = Code(rawValue: "queueFull")
        /// No task has this ID.
        public static let taskNotFound = Code(rawValue: "taskNotFound")
        /// The disk or the quota is full, or would be; ``DownloadError/room`` has the figures if they're known. The
        /// download can be resumed once there is room.
        public static let insufficientDiskSpace = Code(rawValue: "insufficientDiskSpace")
        /// A file or folder can't be read or written.
        public static let fileSystem = Code(rawValue: "fileSystem")
        /// There is a file of that name already, and it must not be replaced.
        public static let fileExists = Code(rawValue: "fileExists")
        /// Another manager, perhaps of another process, uses the folder.
        public static let folderInUse = Code(rawValue: "folderInUse")
        /// The server answered with a status that isn't a success; ``DownloadError/status`` has it.
        public static let rejected = Code(rawValue: "rejected")
        /// The file on the server changed while it was received, again and again.
        public static let changed = Code(rawValue: "changed")
        /// The file hasn't the length that the server or the caller said.
        public static let wrongLength = Code(rawValue: "wrongLength")
        /// The file hasn't the checksum that the server or the caller said.
        public static let checksumMismatch = Code(rawValue: "checksumMismatch")
        /// The server can't be reached, or the call failed; ``DownloadError/underlying`` says how.
        public static let network = Code(rawValue: "network")
        /// Every attempt failed; ``DownloadError/underlying`` is the error of the last one.
        public static let retriesExhausted = Code(rawValue: "retriesExhausted")
        /// The download was cancelled or paused.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The manager was shut down.
        public static let shutDown = Code(rawValue: "shutDown")
    }
}
