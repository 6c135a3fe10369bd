#if canImport(Darwin)
public import Foundation
internal import NetCore
internal import Synchronization

/// Lets the system transfer a manager's files, even while the app is suspended or has ended. Not compiled for Linux.
///
/// The manager provides the queue, the events, the journals and the names; a background `URLSession` transfers the
/// bytes, and retries by itself. A download requests the whole file in one range, an upload sends the whole file.
/// Both have the client's headers, but don't pass through its middleware, so set credentials in the headers of the
/// request.
///
/// ```text
/// let background = BackgroundDownloads(identifier: "com.example.app.downloads")
/// let manager = DownloadManager(client: client, background: background)
/// try await manager.restore()
///
/// // In the app's delegate:
/// func application(_ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
///                  completionHandler: @escaping () -> Void) {
///     background.handleEvents(of: identifier, completionHandler: completionHandler)
/// }
/// ```
///
/// Create one instance per identifier when the app starts: the system then delivers the events that have accumulated.
/// A paused download continues if the app hasn't ended in the meantime; otherwise it starts over.
public final class BackgroundDownloads: Sendable {
    /// The identifier of the session.
    public let identifier: String
    let delegate: BackgroundSessionDelegate
    private let session: URLSession

    /// Creates a background session.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the session, the same in each run of the app.
    ///   - configure: Changes the session's settings, such as discretionary transfers or cellular access. Default: no
    ///     changes.
    public init(identifier: String, configure: (URLSessionConfiguration) -> Void = { _ in }) {
        self.identifier = identifier
        delegate = BackgroundSessionDelegate()
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configure(configuration)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Stores the completion handler that the system passes to the app's delegate, and calls it on the main thread
    /// once all events have arrived.
    ///
    /// - Parameters:
    ///   - identifier: The identifier from the system; a handler for another session is ignored.
    ///   - completionHandler: The system's handler.
    public func handleEvents(of identifier: String, completionHandler: @escaping @Sendable () -> Void) {
        if identifier == self.identifier { delegate.keep(completionHandler) }
    }

    /// Returns the task of a download that an earlier run of the app began; nil if there is none.
    func task(_ id: UUID) async -> URLSessionDownloadTask? {
        let name = id.uuidString
        return await session.allTasks.first { $0.taskDescription == name && $0.state != .completed }
            as? URLSessionDownloadTask
    }

    /// Returns the task of an upload that an earlier run of the app began; nil if there is none.
    func uploadTask(_ id: UUID) async -> URLSessionUploadTask? {
        let name = id.uuidString
        return await session.allTasks.first { $0.taskDescription == name && $0.state != .completed }
            as? URLSessionUploadTask
    }

    /// Creates a suspended task for an upload.
    func makeUploadTask(_ id: UUID, _ request: URLRequest, file: String) -> URLSessionUploadTask {
        let task = session.uploadTask(with: request, fromFile: URL(fileURLWithPath: file))
        task.taskDescription = id.uuidString
        return task
    }

    /// Creates a suspended task for a download.
    func makeTask(_ id: UUID, _ request: URLRequest) -> URLSessionDownloadTask {
        let task =
            delegate.resumeData(of: id).map { session.downloadTask(withResumeData: $0) }
            ?? session.downloadTask(with: request)
        task.taskDescription = id.uuidString
        return task
    }
}

extension DownloadManager {
    /// Creates a manager whose files the system transfers in the background.
    ///
    /// - Parameters:
    ///   - client: The client, whose headers, listeners, redaction and clock are used.
    ///   - configuration: The settings, except for retries, speed and timeouts, which the session determines.
    ///   - background: The session, used by this manager only.
    public init(
        client: HTTPClient, configuration: Configuration = Configuration(), background: BackgroundDownloads
    ) {
        self.init(client: client, configuration: configuration) { _ throws(DownloadError) in
            let threads = DownloadThreads()
            let folder = try await threads.run { () throws(DownloadError) in
                try DownloadFolder.open(configuration.folder)
            }
            let runner = BackgroundRun(
                background: background, client: client, folder: folder, threads: threads,
                flushesAtEnd: configuration.flushesAtEnd)
            let uploader = BackgroundUpload(background: background, client: client, folder: folder, threads: threads)
            return DownloadEngine(
                storage: FolderStorage(folder, threads: threads), runner: runner, uploader: uploader)
        }
    }
}
#endif
