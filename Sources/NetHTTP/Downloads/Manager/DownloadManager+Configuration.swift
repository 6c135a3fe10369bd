public import Logging
public import NetCore

extension DownloadManager {
    /// The settings of a manager.
    public struct Configuration: Sendable {
        /// The layout of a manager's folder.
        public enum Layout: Sendable, Hashable, CaseIterable {
            /// All files are in the folder. The default.
            case flat
            /// Each download has a folder of its own, named by its ID.
            case folderPerTask
        }

        /// The folder of the files, created if needed. Default nil: `XDG_DOWNLOAD_DIR`, else `~/Downloads`. What is being
        /// loaded is in its folder `.downloads`. One manager uses a folder at a time.
        public var folder: String?
        /// The maximum number of downloads that run at once. Default 3; at least 1.
        public var maximumConcurrent: Int
        /// The maximum number of downloads that run at once from one host. Default nil: ``maximumConcurrent``.
        public var maximumPerHost: Int?
        /// The maximum number of downloads that wait or run; another throws `.queueFull`. Default 100.
        public var queueLimit: Int
        /// The maximum number of completed and failed downloads that are kept in the list; the oldest are removed, their files stay.
        /// Default 1,000.
        public var endedLimit: Int
        /// The room on the disk that downloads leave free, in bytes. Default 100 MB.
        public var keepsFree: Int64
        /// The rules for another attempt, which goes on from where the last one has ended. Attempts count anew once bytes have
        /// come. Default: 3 attempts, 1 s, 2 s, 4 s … 30 s between them with full jitter, and `Retry-After`.
        public var retry: RetryPolicy
        /// The limit of attempts that are made again, shared with whatever else has it, such as the client's retry middleware. Default
        /// nil: none.
        public var retryBudget: RetryBudget?
        /// The maximum time in which no byte comes. Default 60 s.
        public var idleTimeout: Duration
        /// The maximum speed of all downloads together, in bytes per second. Default nil: none.
        public var bytesPerSecond: Int64?
        /// True to flush each file to the disk before it is moved into its place. Default true. Without it, a file may be empty or
        /// wrong after a loss of power; after the end of the program it never is.
        public var flushesAtEnd: Bool
        /// The layout of the folder. Default ``Layout/flat``.
        public var layout: Layout
        /// The network's status. Default nil: unknown, so that nothing waits for it. While it is unreachable downloads wait, and
        /// they go on as soon as it is back. A `NetworkMonitor` is the live one.
        public var network: (any NetworkStatusProvider)?
        /// Called when the server has refused a download with 401, 403, 404 or 410, with its task and the status: returns a new
        /// request for the same file, whose part is kept if the server's validator is the same, or nil to fail. Default nil.
        public var renewedLink: (@Sendable (DownloadTask, _ status: Int) async -> DownloadRequest?)?
        /// The amount of detail in the log: nothing; ends and failures; also each other change of state and each response; also
        /// progress. Default standard.
        public var logDetail: LoggingMiddleware.Detail
        /// The destination of the log. Default nil: the client's logger.
        public var logger: Logger?
        /// The level of what isn't a warning or an error. Default info.
        public var logLevel: Logger.Level

        /// Creates settings. Those that aren't given have their defaults.
        public init(
            folder: String? = nil, maximumConcurrent: Int = 3, maximumPerHost: Int? = nil, queueLimit: Int = 100,
            endedLimit: Int = 1000, keepsFree: Int64 = 100_000_000,
            retry: RetryPolicy = RetryPolicy(backoff: Backoff(base: .seconds(1), cap: .seconds(30))),
            retryBudget: RetryBudget? = nil, idleTimeout: Duration = .seconds(60),
            bytesPerSecond: Int64? = nil, flushesAtEnd: Bool = true, layout: Layout = .flat,
            network: (any NetworkStatusProvider)? = nil,
            renewedLink: (@Sendable (DownloadTask, _ status: Int) async -> DownloadRequest?)? = nil,
            logDetail: LoggingMiddleware.Detail = .standard, logger: Logger? = nil,
            logLevel: Logger.Level = .info
        ) {
            self.folder = folder
            self.maximumConcurrent = maximumConcurrent
            self.maximumPerHost = maximumPerHost
            self.queueLimit = queueLimit
            self.endedLimit = endedLimit
            self.keepsFree = keepsFree
            self.retry = retry
            self.retryBudget = retryBudget
            self.idleTimeout = idleTimeout
            self.bytesPerSecond = bytesPerSecond
            self.flushesAtEnd = flushesAtEnd
            self.layout = layout
            self.network = network
            self.renewedLink = renewedLink
            self.logDetail = logDetail
            self.logger = logger
            self.logLevel = logLevel
        }
    }
}

extension DownloadManager.Configuration: CustomStringConvertible, CustomReflectable {
    /// The folder and the caps.
    public var description: String {
        "DownloadManager.Configuration(\(folder ?? "default folder"), \(maximumConcurrent) at once, \(queueLimit) at most)"
    }

    /// No parts, since closures and the logger's metadata may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
