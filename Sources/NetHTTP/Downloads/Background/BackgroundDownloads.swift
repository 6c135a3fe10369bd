#if canImport(Darwin)
public import Foundation
internal import NetCore
internal import Synchronization

/// Lets the system load and send the files of a manager, also while the app is suspended or has ended. Not compiled for Linux.
///
/// The queue, the events, the journals and the names are the manager's; the bytes are loaded by a `URLSession` in the background, which
/// tries again by itself. A download asks for the whole file in one range, an upload sends the whole file. Both have the client's headers,
/// but not its middleware, so credentials belong into the headers of the request.
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
/// Make one for each identifier, when the app starts: the system delivers what has come meanwhile. A paused download goes on where it
/// was if the app hasn't ended since; otherwise it starts over.
public final class BackgroundDownloads: Sendable {
    /// The identifier of the session.
    public let identifier: String
    let delegate: BackgroundSessionDelegate
    private let session: URLSession

    /// Creates a session in the background.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the session, the same in each run of the app.
    ///   - configure: Changes the session's settings: whether it waits for a good moment, cellular access. Default nothing.
    public init(identifier: String, configure: (URLSessionConfiguration) -> Void = { _ in }) {
        self.identifier = identifier
        delegate = BackgroundSessionDelegate()
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configure(configuration)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Keeps the handler that the system gives to the app's delegate, and calls it on the main thread when all events have come.
    ///
    /// - Parameters:
    ///   - identifier: The identifier that the system names; a handler for another session isn't kept.
    ///   - completionHandler: The system's handler.
    public func handleEvents(of identifier: String, completionHandler: @escaping @Sendable () -> Void) {
        if identifier == self.identifier { delegate.keep(completionHandler) }
    }

    /// Returns the task of a download that an earlier run of the app has begun; nil if there is none.
    func task(_ id: UUID) async -> URLSessionDownloadTask? {
        let name = id.uuidString
        return await session.allTasks.first { $0.taskDescription == name && $0.state != .completed }
            as? URLSessionDownloadTask
    }

    /// Returns the task of an upload that an earlier run of the app has begun; nil if there is none.
    func uploadTask(_ id: UUID) async -> URLSessionUploadTask? {
        let name = id.uuidString
        return await session.allTasks.first { $0.taskDescription == name && $0.state != .completed }
            as? URLSessionUploadTask
    }

    /// Creates the task of an upload, which isn't resumed yet.
    func makeUploadTask(_ id: UUID, _ request: URLRequest, file: String) -> URLSessionUploadTask {
        let task = session.uploadTask(with: request, fromFile: URL(fileURLWithPath: file))
        task.taskDescription = id.uuidString
        return task
    }

    /// Creates the task of a download, which isn't resumed yet.
    func makeTask(_ id: UUID, _ request: URLRequest) -> URLSessionDownloadTask {
        let task =
            delegate.resumeData(of: id).map { session.downloadTask(withResumeData: $0) }
            ?? session.downloadTask(with: request)
        task.taskDescription = id.uuidString
        return task
    }
}

extension DownloadManager {
    /// Creates a manager whose files are loaded by the system in the background.
    ///
    /// - Parameters:
    ///   - client: The client, whose headers, listeners, redaction and clock are used.
    ///   - configuration: The settings. Those for retries, speed and time-outs are the session's.
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
