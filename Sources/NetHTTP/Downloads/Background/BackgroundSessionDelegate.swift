#if canImport(Darwin)
internal import Foundation
internal import NetCore
internal import Synchronization

/// Receives the system's events of background transfers, including transfers that an earlier run of the app began.
final class BackgroundSessionDelegate: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
    /// The result of a transfer.
    struct Loaded: Sendable {
        /// The downloaded file, moved to a location where it stays until the manager takes it; nil for an upload.
        let file: URL?
        let head: ResponseHead?
        /// The body of the response to an upload.
        var body = Data()
    }

    private struct State {
        var results: [UUID: Result<Loaded, any Error>] = [:]
        var waiting: [UUID: CheckedContinuation<Result<Loaded, any Error>, Never>] = [:]
        var reports: [UUID: @Sendable (DownloadReport) -> Void] = [:]
        var resumeData: [UUID: Data] = [:]
        var bodies: [UUID: Data] = [:]
        var completionHandler: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func keep(_ completionHandler: @escaping @Sendable () -> Void) {
        state.withLock { $0.completionHandler = completionHandler }
    }

    /// Returns the resume data of a paused download, and removes it.
    func resumeData(of id: UUID) -> Data? { state.withLock { $0.resumeData.removeValue(forKey: id) } }

    func keep(_ resumeData: Data?, of id: UUID) { state.withLock { $0.resumeData[id] = resumeData } }

    func follow(_ id: UUID, _ report: (@Sendable (DownloadReport) -> Void)?) {
        state.withLock { $0.reports[id] = report }
    }

    /// True if a download has a result that hasn't been retrieved yet.
    func hasResult(of id: UUID) -> Bool { state.withLock { $0.results[id] != nil } }

    /// Returns the result of a download; waits for it if necessary.
    func result(of id: UUID) async -> Result<Loaded, any Error> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<Loaded, any Error>? in
                if let result = state.results.removeValue(forKey: id) { return result }
                state.waiting[id] = continuation
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    private func end(_ id: UUID, _ result: Result<Loaded, any Error>) {
        let waiting = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: id)
            if waiting == nil { state.results[id] = result }
            return waiting
        }
        waiting?.resume(returning: result)
    }

    private func id(_ task: URLSessionTask) -> UUID? { task.taskDescription.flatMap { UUID(uuidString: $0) } }

    // MARK: Delegate

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        guard let id = id(downloadTask), let report = state.withLock({ $0.reports[id] }) else { return }
        if totalBytesWritten == bytesWritten {
            let total = totalBytesExpectedToWrite < 0 ? nil : totalBytesExpectedToWrite
            report(.began(total: total, bytes: 0, name: downloadTask.response?.suggestedFilename ?? ""))
        }
        report(.bytes(totalBytesWritten))
    }

    /// The system deletes the file after this function returns, so it's moved synchronously.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard let id = id(downloadTask) else { return }
        let head = (downloadTask.response as? HTTPURLResponse).flatMap { ResponseHead($0) }
        let target = location.deletingLastPathComponent().appendingPathComponent("net-\(id.uuidString).loaded")
        end(
            id,
            Result {
                try? FileManager.default.removeItem(at: target)
                try FileManager.default.moveItem(at: location, to: target)
                return Loaded(file: target, head: head)
            })
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard let id = id(task), let report = state.withLock({ $0.reports[id] }) else { return }
        report(.bytes(totalBytesSent))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let id = id(dataTask) else { return }
        state.withLock { state in
            guard state.bodies[id, default: Data()].count + data.count <= UploadedFile.maximumBodyBytes else { return }
            state.bodies[id, default: Data()] += data
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let id = id(task) else { return }
        let body = state.withLock { $0.bodies.removeValue(forKey: id) } ?? Data()
        guard let error else {
            guard task is URLSessionUploadTask else { return }
            let head = (task.response as? HTTPURLResponse).flatMap { ResponseHead($0) }
            return end(id, .success(Loaded(file: nil, head: head, body: body)))
        }
        if let data = (error as? URLError)?.downloadTaskResumeData { keep(data, of: id) }
        end(id, .failure(error))
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        guard let handler = state.withLock({ $0.completionHandler.take() }) else { return }
        DispatchQueue.main.async { handler() }
    }
}
#endif
