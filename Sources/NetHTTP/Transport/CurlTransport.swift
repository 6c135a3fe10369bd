#if os(Linux)
internal import NetCurl
public import NetCore

/// Sends requests with libcurl: HTTP/1.1 and HTTP/2, TLS, proxies, connection reuse.
///
/// One transport is one thread and its connections; share it between clients to share them. Dropping the last client
/// that uses it ends the thread once the bodies still being read have ended.
///
///     let transport = CurlTransport()
///     let client = HTTPClient(baseURL: "https://api.example.com", transport: transport)
public struct CurlTransport: HTTPTransport {
    private let engine: Result<CurlEngine, NetError>
    private let decoding: ContentDecoding
    private let isShared: Bool
    /// Watches the network as long as a copy of the transport exists.
    private let watch: NetworkFollower?

    /// What clients send over that are given no transport: one thread and one set of connections for the whole program, with
    /// the defaults. It starts when it is first used, and shutting it down does nothing.
    public static let shared = CurlTransport(configuration: Configuration(), isShared: true)

    /// What a client takes that is given none. What a leak check counts must not be shared with what it does not.
    static var standard: CurlTransport { ResourceScope.current == nil ? shared : CurlTransport() }

    /// Starts the transport. Files and environment variables that the configuration speaks of are read here. When one of
    /// them cannot be used, or the system has no threads or descriptors left, every call throws that error.
    public init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, isShared: false)
    }

    private init(configuration: Configuration, isShared: Bool) {
        self.isShared = isShared
        let engine = Result { () throws(NetError) in try CurlEngine(configuration: configuration.engine()) }
        self.engine = engine
        watch = configuration.network.flatMap { network in
            (try? engine.get()).map { engine in NetworkFollower(network) { engine.renewConnections() } }
        }
        decoding = ContentDecoding(maximumExpansion: configuration.maximumExpansion)
    }

    public var endsWithCall: Bool { true }

    public func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        try NetworkAccess.check(request.head.authority, context: context)
        var response = try await engine.get().execute(request, context: context)
        // A digest is of the content as it travelled, its codings included.
        if request.options.verifiesDigests {
            response = try DigestVerification.verify(response, to: request, context: context)
        }
        return try decoding.decode(response, to: request, context: context)
    }

    /// gzip and deflate; under the trait `Compression` br and zstd too.
    public var contentCodings: [String] { ContentCoding.allCases.map(\.rawValue) }

    public func shutdown() async {
        if !isShared, case .success(let engine) = engine { await engine.shutdown() }
    }

    /// Runs tasks on the transport's own thread: half the CPU for one call after the other. Never block there.
    ///
    ///     let value = try await Task(executorPreference: transport.executor) { try await client.send(request) }.value
    ///
    /// nil when the transport could not start.
    public var executor: (any TaskExecutor)? { try? engine.get().executor }

    /// What the transport holds and has done.
    public var statistics: Statistics {
        guard case .success(let engine) = engine else { return Statistics() }
        let reading = engine.statistics
        return Statistics(
            liveTransfers: reading.liveTransfers, queuedTransfers: reading.queuedTransfers, handles: reading.handles,
            openedConnections: reading.openedConnections, startedTransfers: reading.startedTransfers)
    }

    public func connections() async -> [HostConnections] {
        guard case .success(let engine) = engine else { return [] }
        return await engine.connections()
    }

    /// The linked libcurl and what it can do.
    package static var features: TransportFeatures { CurlFeatures.current }
}

extension CurlTransport {
    /// A reading of a transport's counters.
    public struct Statistics: Sendable, Hashable {
        /// Transfers that have begun and not ended, the waiting ones among them.
        public var liveTransfers = 0
        /// Transfers that wait for a place.
        public var queuedTransfers = 0
        /// libcurl handles: one for each running transfer, and those kept for the next.
        public var handles = 0
        /// Connections opened so far.
        public var openedConnections = 0
        /// Transfers begun so far.
        public var startedTransfers = 0
    }
}
#endif
