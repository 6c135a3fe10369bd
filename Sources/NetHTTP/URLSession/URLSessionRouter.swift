#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore
internal import Synchronization

/// The session's delegate: hands what a task reports to the task's exchange.
///
/// A delegate for each task would do, but Linux's Foundation reports no bodies to one.
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

    /// Makes a task and remembers whose it is. Nil after ``close()``: an invalid session traps when asked for a task.
    func register(_ exchange: URLSessionExchange, _ make: () -> URLSessionTask) -> URLSessionTask? {
        state.withLock { state in
            guard !state.isShutDown else { return nil }
            let task = make()
            state.exchanges[task.taskIdentifier] = exchange
            return task
        }
    }

    /// Takes no more tasks; the exchanges that still run.
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
        // Never compiled here: Linux's Foundation asks nobody about certificates.
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
        // There is no store of credentials: an answer such as 401 goes to the caller.
        completionHandler(.performDefaultHandling, nil)
    }
}
#endif
