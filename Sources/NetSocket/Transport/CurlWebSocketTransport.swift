#if os(Linux)
internal import NetCurl
public import NetCore
internal import NetSocketCore
internal import Synchronization

/// Opens WebSockets with libcurl's names, proxies and TLS, and drives them itself (RFC 6455) on one thread.
///
///     let transport = CurlWebSocketTransport()
///     let client = WebSocketClient(transport: transport)
public struct CurlWebSocketTransport: WebSocketTransport {
    private let engine: Result<CurlEngine, NetError>
    private let limits: SocketLimits

    /// Starts the transport. Files and environment variables that the configuration speaks of are read here. When one of
    /// them cannot be used, or the system has no threads or descriptors left, every call throws that error.
    public init(configuration: Configuration = Configuration()) {
        engine = Result { () throws(NetError) in try CurlEngine(configuration: configuration.engine()) }
        limits = configuration.limits
    }

    public func connect(
        _ request: WebSocketRequest, context: CallContext
    ) async throws(NetError) -> any WebSocketLink {
        let engine = try engine.get()
        let url = try parse(request.url, context)
        try NetworkAccess.check(url.authority, context: context)
        let handshake = ClientHandshake(
            request: request, host: url.authority, path: url.path, key: AcceptKey.makeKey(context.environment.random))
        let driver = SocketDriver(request: request, handshake: handshake, context: context, limits: limits)
        let target = ByteStream.Target(
            isSecure: url.isSecure, authority: url.authority, connectTimeout: request.connectTimeout)
        var opened: ByteStream?
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let stream = engine.open(target, context: context, handler: driver)
                opened = stream
                if driver.life.withLock({ $0.begin(stream, opener: continuation) }) { stream.signal() }
            }
        } onCancel: {
            driver.life.withLock { $0.cancelOpening() }?.signal()
        }
        guard let stream = opened, let result = driver.life.withLock({ $0.result }) else {
            throw context.error(.unknown, phase: .queued, message: "the network loop is not running")
        }
        return CurlWebSocketLink(try result.get(), driver: driver, stream: stream, engine: engine)
    }

    private func parse(_ url: String, _ context: CallContext) throws(NetError) -> WebSocketURL {
        do throws(WebSocketViolation) {
            return try WebSocketURL(url)
        } catch {
            throw context.error(.invalidRequest, phase: .preparing, message: error.message)
        }
    }

    public func shutdown() async {
        if case .success(let engine) = engine { await engine.shutdown() }
    }

    /// Runs tasks on the transport's own thread: the quickest for conversations. Never block there. nil when the
    /// transport could not start.
    public var executor: (any TaskExecutor)? { try? engine.get().executor }

    /// Connections that are being opened or are open.
    public var openConnections: Int {
        guard case .success(let engine) = engine else { return 0 }
        return engine.statistics.openStreams
    }
}
#endif
