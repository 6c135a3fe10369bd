#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import HTTPTypes
internal import NetCore

/// The session, which lives as long as a transport or a task uses it.
final class URLSessionSocketCore: Sendable {
    let router = URLSessionSocketRouter()
    private let session: URLSession
    private let configuration: URLSessionWebSocketTransport.Configuration

    init(_ configuration: URLSessionWebSocketTransport.Configuration, _ settings: URLSessionConfiguration) {
        self.configuration = configuration
        settings.httpCookieStorage = nil
        settings.httpShouldSetCookies = false
        settings.httpCookieAcceptPolicy = .never
        settings.urlCache = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        settings.urlCredentialStorage = nil
        settings.timeoutIntervalForRequest = URLSessionHandshake.longestTimeout
        settings.timeoutIntervalForResource = URLSessionHandshake.longestTimeout
        #if canImport(Darwin)
        // Never compiled here.
        let (oldest, newest) = (configuration.tls.minimumVersion, configuration.tls.maximumVersion)
        settings.tlsMinimumSupportedProtocolVersion = oldest == .tls13 ? .TLSv13 : .TLSv12
        if let newest { settings.tlsMaximumSupportedProtocolVersion = newest == .tls13 ? .TLSv13 : .TLSv12 }
        #endif
        // Callbacks run one after the other, so that messages keep their order.
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: settings, delegate: router, delegateQueue: queue)
        if let scope = ResourceScope.current {
            scope.watch("WebSockets") { [weak router] in router?.count ?? 0 }
        }
    }

    deinit { session.finishTasksAndInvalidate() }

    func connect(_ request: PreparedRequest, _ context: CallContext) async throws(NetError) -> WebSocketOpening {
        let options = request.options.webSocket ?? WebSocketOptions()
        let host = request.head.authority ?? ""
        let task: (driver: SocketTaskDriver, task: URLSessionSocketTask)
        do throws(NetError) {
            task = try makeTask(request, options, host, context)
        } catch {
            throw error.filling(call: context.summary, elapsed: context.elapsed)
        }
        return try await task.driver.connect(task.task, context: context)
    }

    private func makeTask(
        _ request: PreparedRequest, _ options: WebSocketOptions, _ host: String, _ context: CallContext
    ) throws(NetError) -> (SocketTaskDriver, URLSessionSocketTask) {
        if let setting = configuration.unsupported {
            throw NetError(
                .unsupported, phase: .preparing,
                message: "\(setting): URLSessionWebSocketTransport has no such setting; omit it")
        }
        let driver = SocketTaskDriver(
            configuration.settings(options, timeouts: context.timeouts),
            secretSubprotocol: options.secretSubprotocol, context: context)
        let prepared = try URLSessionHandshake.request(request, subprotocols: options.offeredSubprotocols)
        guard let task = router.register(driver, host: host, { session.webSocketTask(with: prepared) }) else {
            throw NetError(.shutdown, phase: .preparing, message: "the transport was shut down")
        }
        // One more than the limit: URLSession fails when the size is reached, not when it is exceeded.
        task.maximumMessageSize = max(0, min(options.maximumMessageBytes, .max - 1)) + 1
        return (driver, URLSessionSocketTask(task, host: host))
    }

    func shutdown() {
        for driver in router.close() { driver.change { machine, _ in machine.shutDown() } }
        session.invalidateAndCancel()
    }
}
#endif
