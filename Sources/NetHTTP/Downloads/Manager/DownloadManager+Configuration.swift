public import HTTPTypes
public import Logging
public import NetCore

extension DownloadManager {
    /// The settings of a manager.
    public struct Configuration: Sendable {
        /// The layout of a manager's folder.
        public enum Layout: Sendable, Hashable, CaseIterable {
            /// All files are in the folder. The default.
            case flat
            /// Each download has a separate folder, named by its ID.
            case folderPerTask
        }

        /// The folder for the files, created if needed. Default nil: `XDG_DOWNLOAD_DIR`, else `~/Downloads`. Its
        /// subfolder `.downloads` contains the partial files. Only one manager can use a folder at a time.
        public var folder: String?
        /// The maximum number of concurrent downloads. Default 3; at least 1.
        public var maximumConcurrent: Int
        /// The maximum number of concurrent downloads from one host. Default nil: ``maximumConcurrent``.
        public var maximumPerHost: Int?
        /// The maximum number of waiting and running downloads; one more throws `.queueFull`. Default 100.
        public var queueLimit: Int
        /// The maximum number of completed and failed downloads that are kept in the list; beyond that, the oldest
        /// are removed, but not their files. Default 1,000.
        public var endedLimit: Int
        /// The disk space that downloads leave free, in bytes; at most a twentieth of the disk. Default 100 MB.
        public var keepsFree: Int64
        /// The maximum time that a download waits for disk space before it fails with `.insufficientDiskSpace`.
        /// Default nil: no limit.
        public var diskSpaceTimeout: Duration?
        /// The rules for retries, which continue with the bytes received. The number of attempts is reset once bytes
        /// have arrived. Default: 3 attempts, 1 s, 2 s, 4 s … 30 s between them with full jitter, and `Retry-After`.
        public var retry: RetryPolicy
        /// The limit of retries, shared with all other users of the budget, such as the client's retry middleware.
        /// Default nil: none.
        public var retryBudget: RetryBudget?
        /// The maximum time without a received byte. Default 60 s.
        public var idleTimeout: Duration
        /// The maximum speed of all downloads together, in bytes per second. Default nil: none.
        public var bytesPerSecond: Int64?
        /// True to flush each file to the disk before it's moved to its final place. Default true. If false, a file may
        /// be empty or corrupt after a power failure, but not after a crash of the program.
        public var flushesAtEnd: Bool
        /// The layout of the folder. Default ``Layout/flat``.
        public var layout: Layout
        /// The source of the network's status. Default nil: unknown, so nothing waits for the network. Otherwise,
        /// downloads wait while the network is unreachable, and continue as soon as it's back. A `NetworkMonitor` is
        /// the system's.
        public var network: (any NetworkStatusProvider)?
        /// Called with a download's task and the status if the server has responded with 401, 403, 404 or 410.
        /// Returns a new request for the same file, whose partial file is kept if the server's validator is the same,
        /// or nil to fail. Default nil.
        public var renewedLink: (@Sendable (DownloadTask, _ status: Int) async -> DownloadRequest?)?
        /// Called by ``DownloadManager/restore(retryingFailed:)`` for each task that was added with headers, which aren't
        /// stored. Returns them again, or nil to fail with `.missingHeaders`. Default nil.
        public var restoredHeaders: (@Sendable (DownloadTask) async -> HTTPFields?)?
        /// The amount of detail in the log: nothing; ends and failures; also every other state change and every
        /// response; also progress. Default standard.
        public var logDetail: LoggingMiddleware.Detail
        /// The destination of the log. Default nil: the client's logger.
        public var logger: Logger?
        /// The log level, except for warnings and errors. Default info.
        public var logLevel: Logger.Level

        /// Creates a configuration. Omitted settings have their defaults.
        public init(
            folder: String? = nil, maximumConcurrent: Int = 3, maximumPerHost: Int? = nil, queueLimit: Int = 100,
            endedLimit: Int = 1000, keepsFree: Int64 = 100_000_000, diskSpaceTimeout: Duration? = nil,
            retry: RetryPolicy = RetryPolicy(backoff: Backoff(base: .seconds(1), cap: .seconds(30))),
            retryBudget: RetryBudget? = nil, idleTimeout: Duration = .seconds(60),
            bytesPerSecond: Int64? = nil, flushesAtEnd: Bool = true, layout: Layout = .flat,
            network: (any NetworkStatusProvider)? = nil,
            renewedLink: (@Sendable (DownloadTask, _ status: Int) async -> DownloadRequest?)? = nil,
            restoredHeaders: (@Sendable (DownloadTask) async -> HTTPFields?)? = nil,
            logDetail: LoggingMiddleware.Detail = .standard, logger: Logger? = nil,
            logLevel: Logger.Level = .info
        ) {
            self.folder = folder
            self.maximumConcurrent = maximumConcurrent
            self.maximumPerHost = maximumPerHost
            self.queueLimit = queueLimit
            self.endedLimit = endedLimit
            self.keepsFree = keepsFree
            self.diskSpaceTimeout = diskSpaceTimeout
            self.retry = retry
            self.retryBudget = retryBudget
            self.idleTimeout = idleTimeout
            self.bytesPerSecond = bytesPerSecond
            self.flushesAtEnd = flushesAtEnd
            self.layout = layout
            self.network = network
            self.renewedLink = renewedLink
            self.restoredHeaders = restoredHeaders
            self.logDetail = logDetail
            self.logger = logger
            self.logLevel = logLevel
        }
    }
}

extension DownloadManager.Configuration: CustomStringConvertible, CustomReflectable {
    /// The folder and the limits.
    public var description: String {
        "DownloadManager.Configuration(\(folder ?? "default folder"), \(maximumConcurrent) at once, \(queueLimit) at most)"
    }

    /// Empty, since closures and the logger's metadata may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
