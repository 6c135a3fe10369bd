#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore
internal import Synchronization

/// The session's delegate: forwards each task's events to the task's exchange.
///
/// One delegate per task would be simpler, but Foundation on Linux doesn't report bodies to those.
final class URLSessionRouter: NSObject, URLSessionDataDelegate {
    private struct State {
        var exchanges: [Int: URLSessionExchange] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())
    private let trust: TLSConfiguration.Trust
    private let pins: PinnedKeys

    init(_ tls: TLSConfiguration) {
        trust = tls.trust
        pins = PinnedKeys(tls.pins)
    }

    var count: Int { state.withLock { $0.exchanges.count } }

    /// Creates a task and stores its exchange. Nil after ``close()``: creating a task in an invalidated session
    /// traps.
    func register(_ exchange: URLSessionExchange, _ make: () -> URLSessionTask) -> URLSessionTask? {
        state.withLock { state in
            guard !state.isShutDown else { return nil }
            let task = make()
            state.exchanges[task.taskIdentifier] = exchange
            return task
        }
    }

    /// Rejects new tasks from now on, and returns the exchanges that are still running.
    func close() -> [URLSessionExchange] {
        state.withLock { state in
            state.isShutDown = true
            return Array(state.exchanges.values)
        }
    }

    private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    // MARK: Delegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(dataTask)?.responded(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.sent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(exchange(task)?.newBodyStream())
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange(task)?.collected(metrics)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }?.completed(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        // Never compiled here: Foundation on Linux doesn't call this for certificates.
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
            let pins = pins.hashes(for: challenge.protectionSpace.host)
            guard trust != .system || pins != nil else { return completionHandler(.performDefaultHandling, nil) }
            let judge = URLSessionTrust(trust: trust, pins: pins)
            switch judge.judge(challenge.protectionSpace) {
            case .trusted(let credential): completionHandler(.useCredential, credential)
            case .refused(let reason):
                exchange(task)?.refused(reason)
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
            return
        }
        #endif
        // There is no credential store: a response such as 401 is passed to the caller.
        completionHandler(.performDefaultHandling, nil)
    }
}
#endif
