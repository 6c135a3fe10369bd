#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore
internal import Synchronization

/// The delegate of the session: hands what a task reports to the task's driver. Keeps each driver until its task has ended.
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

    /// The number of tasks that have begun and not ended.
    var count: Int { state.withLock { $0.entries.count } }

    /// Creates a task and remembers its driver. Returns nil after ``close()``: an invalid session traps when it is asked for
    /// a task.
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

    /// Takes no more tasks. Returns the drivers of those that have not ended.
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

    /// A redirect is a refused handshake, which the client follows.
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
