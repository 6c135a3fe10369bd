#if os(Linux)
internal import HTTPTypes
internal import NetCurl
public import NetCore
internal import NetSocketCore
internal import Synchronization

/// Opens WebSockets with libcurl's name resolution, proxies and TLS, and drives them itself (RFC 6455) on one thread.
///
///     let transport = CurlWebSocketTransport()
///     let client = WebSocketClient(transport: transport)
public struct CurlWebSocketTransport: WebSocketTransport {
    private let engine: Result<CurlEngine, NetError>
    private let limits: SocketLimits
    private let memory = SocketMemory()

    /// Starts the transport. Files and environment variables that the configuration names are read here. If one of them
    /// can't be used, or the system has no threads or descriptors left, every call throws that error.
    public init(configuration: Configuration = Configuration()) {
        engine = Result { () throws(NetError) in try CurlEngine(configuration: configuration.engine()) }
        limits = configuration.limits
    }

    public var endsWithCall: Bool { true }

    public func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
        let engine = try engine.get()
        let (head, options) = (request.head, request.options.webSocket ?? WebSocketOptions())
        let authority = head.authority ?? ""
        try NetworkAccess.check(authority, context: context)
        let handshake = ClientHandshake(
            headers: head.headerFields, subprotocols: options.offeredSubprotocols, compression: options.compression,
            host: authority, path: head.path ?? "/", key: AcceptKey.makeKey(context.environment.random))
        let driver = SocketDriver(options, handshake: handshake, context: context, limits: limits, memory: memory)
        let target = ByteStream.Target(
            isSecure: head.scheme?.lowercased() == "https", authority: authority,
            connectTimeout: context.timeouts.connect)
        var opened: ByteStream?
        await context.untilEnded {
            await withUnsafeContinuation { continuation in
                let stream = engine.open(target, context: context, handler: driver)
                opened = stream
                if driver.life.withLock({ $0.begin(stream, opener: continuation) }) { stream.signal() }
            }
        } giveUp: {
            driver.life.withLock { $0.cancelOpening() }?.signal()
        }
        guard let stream = opened, let result = driver.life.withLock({ $0.takeResult() }) else {
            throw context.error(.unknown, phase: .queued, message: "the network loop is not running")
        }
        switch try result.get() {
        case .opened(let socket):
            return .opened(CurlWebSocketLink(socket, driver: driver, stream: stream, engine: engine))
        case .refused(let head, let body):
            return .refused(StreamedResponse(head: head, body: ResponseBody(body)))
        }
    }

    public func shutdown() async {
        if case .success(let engine) = engine { await engine.shutdown() }
    }

    /// The executor that runs tasks on the transport's own thread, which is the fastest for conversations. Never block
    /// that thread. Nil if the transport couldn't start.
    public var executor: (any TaskExecutor)? { try? engine.get().executor }

    /// The number of connections that are being opened or are open.
    public var openConnections: Int {
        guard case .success(let engine) = engine else { return 0 }
        return engine.statistics.openStreams
    }
}
#endif
