extension DownloadError {
    /// The kind of an error; an open set, so that new codes don't break callers.
    public struct Code: Hashable, Sendable, RawRepresentable, Codable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The URL isn't a valid HTTP URL.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// A task with the same URL is queued, running or paused: ``DownloadError/taskID``.
        public static let alreadyQueued = Code(rawValue: "alreadyQueued")
        /// The queue has the maximum number of tasks.
        public static let queueFull = Code(rawValue: "queueFull")
        /// No task has this ID.
        public static let taskNotFound = Code(rawValue: "taskNotFound")
        /// The disk or the quota is full, or would be; ``DownloadError/room`` has the figures, if known. The download
        /// can be resumed once there is enough space.
        public static let insufficientDiskSpace = Code(rawValue: "insufficientDiskSpace")
        /// A file or folder can't be read or written.
        public static let fileSystem = Code(rawValue: "fileSystem")
        /// A file with this name already exists, and must not be replaced.
        public static let fileExists = Code(rawValue: "fileExists")
        /// Another manager, possibly in another process, uses the folder.
        public static let folderInUse = Code(rawValue: "folderInUse")
        /// The server responded with a status that isn't a success; ``DownloadError/status`` has it.
        public static let rejected = Code(rawValue: "rejected")
        /// The file on the server kept changing during the download.
        public static let changed = Code(rawValue: "changed")
        /// The file's length differs from the one specified by the server or the caller.
        public static let wrongLength = Code(rawValue: "wrongLength")
        /// The file's checksum differs from the one specified by the server or the caller.
        public static let checksumMismatch = Code(rawValue: "checksumMismatch")
        /// The user who added the task has logged out, or another one has logged in, so that nothing more may be sent;
        /// or the user's credential can't be renewed. ``DownloadError/underlying`` has the details.
        public static let authentication = Code(rawValue: "authentication")
        /// The task was added with headers that this manager doesn't have: they aren't stored.
        public static let missingHeaders = Code(rawValue: "missingHeaders")
        /// The task may use only some networks, and the manager doesn't know the network.
        public static let networkUnknown = Code(rawValue: "networkUnknown")
        /// The server can't be reached, or the call failed; ``DownloadError/underlying`` has the details.
        public static let network = Code(rawValue: "network")
        /// Every attempt failed; ``DownloadError/underlying`` is the error of the last one.
        public static let retriesExhausted = Code(rawValue: "retriesExhausted")
        /// The download was cancelled or paused.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The manager was shut down.
        public static let shutDown = Code(rawValue: "shutDown")

        /// True if the same transfer would fail again: another one is needed, or somebody has to act. A restored task
        /// that has failed like that isn't retried by itself.
        var isLasting: Bool {
            switch self {
            case .network, .retriesExhausted, .insufficientDiskSpace, .fileSystem, .authentication, .cancelled,
                .shutDown, .folderInUse, .missingHeaders, .changed:
                false
            default: true
            }
        }
    }
}
