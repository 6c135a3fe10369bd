#if os(Linux)
internal import NetCurl
public import NetCore

/// Sends requests with libcurl: HTTP/1.1 and HTTP/2, TLS, proxies, connection reuse.
///
/// A transport consists of one thread and its connections; clients that use the same transport share them. Once the
/// last client that uses it is released, the thread ends as soon as the bodies still being read have ended.
///
///     let transport = CurlTransport()
///     let client = HTTPClient(baseURL: "https://api.example.com", transport: transport)
public struct CurlTransport: HTTPTransport {
    private let engine: Result<CurlEngine, NetError>
    private let decoding: ContentDecoding
    private let isShared: Bool
    private let identity: ConnectionIdentity?
    /// Follows the network as long as a copy of the transport exists.
    private let watch: NetworkFollower?

    /// The default transport for clients created without one: one thread and one set of connections for the whole
    /// program, with the default configuration. It starts on first use, and shutting it down does nothing.
    public static let shared = CurlTransport(configuration: Configuration(), isShared: true)

    /// The transport for clients created without one. Within a leak check's scope it's a new transport, since
    /// resources that are counted must not be shared with others.
    static var standard: CurlTransport { ResourceScope.current == nil ? shared : CurlTransport() }

    /// Starts the transport. Reads the files and environment variables that the configuration refers to. If one of
    /// them can't be used, or the system has no threads or descriptors left, every call throws that error.
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
        identity = ConnectionIdentity(
            certificate: configuration.tls.identity != nil, negotiateOrigins: configuration.negotiateOrigins)
        decoding = ContentDecoding(maximumExpansion: configuration.maximumExpansion)
    }

    public var endsWithCall: Bool { true }

    public func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        try NetworkAccess.check(request.head.authority, context: context)
        var response = try await engine.get().execute(request, context: context)
        // A digest covers the content as transferred, including its codings.
        if request.options.verifiesDigests {
            response = try DigestVerification.verify(response, to: request, context: context)
        }
        return try decoding.decode(response, to: request, context: context)
    }

    /// gzip and deflate; with the trait `Compression`, br and zstd too.
    public var contentCodings: [String] { ContentCoding.allCases.map(\.rawValue) }

    /// The transport's own identity for requests with its client certificate or a Kerberos ticket; nil if it has
    /// neither.
    public var connectionIdentity: (any IdentitySource)? { identity }

    public func shutdown() async {
        if !isShared, case .success(let engine) = engine { await engine.shutdown() }
    }

    /// Runs tasks on the transport's own thread: half the CPU time for sequential calls. Never block that thread.
    ///
    ///     let value = try await Task(executorPreference: transport.executor) { try await client.send(request) }.value
    ///
    /// Nil if the transport could not start.
    public var executor: (any TaskExecutor)? { try? engine.get().executor }

    /// The transport's current resources and total counts.
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

    /// The linked libcurl and its features.
    package static var features: TransportFeatures { CurlFeatures.current }
}

extension CurlTransport {
    /// A snapshot of a transport's counters.
    public struct Statistics: Sendable, Hashable {
        /// Transfers that have begun and not ended, including waiting ones.
        public var liveTransfers = 0
        /// Transfers that are waiting to start.
        public var queuedTransfers = 0
        /// libcurl handles: one for each running transfer, and idle ones kept for reuse.
        public var handles = 0
        /// Connections opened so far.
        public var openedConnections = 0
        /// Transfers begun so far.
        public var startedTransfers = 0
    }
}
#endif
