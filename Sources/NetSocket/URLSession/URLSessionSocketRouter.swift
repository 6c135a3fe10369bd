#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore
internal import Synchronization

/// The delegate of the session. It passes the events of a task to the task's driver, and keeps each driver until its
/// task has ended.
final class URLSessionSocketRouter: NSObject, URLSessionWebSocketDelegate {
    private struct Entry {
        let driver: SocketTaskDriver
        let host: String
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// The number of unfinished tasks.
    var count: Int { state.withLock { $0.entries.count } }

    /// Creates a task and remembers its driver. Returns nil after ``close()``, because an invalid session traps when it
    /// is asked for a task.
    func register(
        _ driver: SocketTaskDriver, host: String, _ make: () -> URLSessionWebSocketTask
    ) -> URLSessionWebSocketTask? {
        state.withLock { state in
            guard !state.isShutDown else { return nil }
            let task = make()
            state.entries[task.taskIdentifier] = Entry(driver: driver, host: host)
            return task
        }
    }

    /// Stops taking tasks. Returns the drivers of the unfinished ones.
    func close() -> [SocketTaskDriver] {
        state.withLock { state in
            state.isShutDown = true
            return state.entries.values.map(\.driver)
        }
    }

    private func driver(_ task: URLSessionTask) -> SocketTaskDriver? {
        state.withLock { $0.entries[task.taskIdentifier]?.driver }
    }

    // MARK: Delegate

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        driver(webSocketTask)?.didOpen(subprotocol: `protocol`)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        let code = UInt16(exactly: closeCode.rawValue).map { WebSocketCloseCode(rawValue: $0) }
        driver(webSocketTask)?.didClose(code ?? .noStatusReceived, reason: URLSessionSocketTask.reason(reason))
    }

    /// Doesn't follow a redirect, which counts as a refused handshake; the client follows it.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: task.taskIdentifier) }) else { return }
        entry.driver.didComplete(
            error.map { URLSessionSocketFailure.error($0, host: entry.host, phase: .waiting) })
    }
}
#endif
