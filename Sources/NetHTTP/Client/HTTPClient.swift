internal import HTTPTypes
public import NetCore

/// Sends typed requests and decodes their responses. A value: copies share connections, events and counters.
///
/// A call ends when its body ends. Cancelling the task ends the transfer immediately.
///
///     struct GetUser: APIRequest {
///         struct Response: Decodable, Sendable { let id: Int, name: String }
///         let id: Int
///         var path: Path { "users/\(id)" }
///     }
///     let client = HTTPClient(baseURL: "https://api.example.com/v1")
///     let user = try await client.send(GetUser(id: 7))
///     print(user.name)
public struct HTTPClient: APIClient {
    /// The state that copies share.
    private final class Shared: Sendable, CustomReflectable {
        let configuration: Configuration
        let transport: any HTTPTransport
        let core: ClientCore
        /// Empty, since headers and middleware may contain secrets.
        var customMirror: Mirror { Mirror(self, children: [:]) }

        init(_ configuration: Configuration, _ transport: any HTTPTransport) {
            self.configuration = configuration
            self.transport = transport
            core = ClientCore(configuration.settings, transport: transport)
        }
    }

    private let shared: Shared

    var core: ClientCore { shared.core }

    /// Creates a client that sends over `transport`.
    public init(configuration: Configuration, transport: any HTTPTransport) {
        shared = Shared(configuration, transport)
    }

    /// Creates a client with the default configuration that sends over `transport`.
    public init(baseURL: some URLConvertible, transport: any HTTPTransport) {
        self.init(configuration: Configuration(baseURL: BaseURL(unchecked: baseURL)), transport: transport)
    }

    /// Creates a client that sends over `transport`; `configure` changes the defaults, and may throw.
    public init(
        baseURL: some URLConvertible, transport: any HTTPTransport, configure: (inout Configuration) throws -> Void
    ) rethrows {
        var configuration = Configuration(baseURL: BaseURL(unchecked: baseURL))
        try configure(&configuration)
        self.init(configuration: configuration, transport: transport)
    }

    #if os(Linux) || canImport(Darwin)
    /// Creates a client on the default transport: the shared libcurl transport (``CurlTransport/shared``), or on
    /// Apple platforms a new URLSession transport.
    public init(configuration: Configuration) {
        #if os(Linux)
        self.init(configuration: configuration, transport: CurlTransport.standard)
        #else
        self.init(configuration: configuration, transport: URLSessionTransport())
        #endif
    }

    /// Creates a client with the default configuration on the default transport.
    public init(baseURL: some URLConvertible) {
        self.init(configuration: Configuration(baseURL: BaseURL(unchecked: baseURL)))
    }

    /// Creates a client on the default transport; `configure` changes the default configuration, and may throw.
    ///
    ///     let client = HTTPClient(baseURL: "https://api.example.com") {
    ///         $0.middleware = [RetryMiddleware()]
    ///         $0.timeouts = .total(.seconds(20))
    ///     }
    public init(baseURL: some URLConvertible, configure: (inout Configuration) throws -> Void) rethrows {
        var configuration = Configuration(baseURL: BaseURL(unchecked: baseURL))
        try configure(&configuration)
        self.init(configuration: configuration)
    }
    #endif

    /// The configuration that the client was created with.
    public var configuration: Configuration { shared.configuration }

    /// Returns a client with a changed configuration on the same transport. It has its own calls, events and
    /// counters: ``cancelAll()`` of one doesn't affect the other's calls; ``shutdown(grace:)`` of either shuts the
    /// transport down for both.
    public func with(_ change: (inout Configuration) -> Void) -> HTTPClient {
        var configuration = configuration
        change(&configuration)
        return HTTPClient(configuration: configuration, transport: shared.transport)
    }

    /// The number of calls that have begun and not ended, including streamed bodies.
    public var unfinishedCalls: Int { core.calls.count }

    /// Every event from now on, for one consumer. The newest 100 are buffered for a slow one; older ones are dropped
    /// and counted in ``droppedActivityEvents``. The stream ends when the client is shut down.
    public var activity: AsyncStream<ActivityEvent> { activity(buffering: .standard) }

    /// Returns every event from now on, with a buffer of another size.
    ///
    ///     for await event in client.activity(buffering: .oldest(1000)) { print(event.diagnosticSummary) }
    public func activity(buffering: ActivityBuffering) -> AsyncStream<ActivityEvent> { core.hub.subscribe(buffering) }

    /// Every call that begins from now on, as one value when it has ended; a stream ends with its body. The newest
    /// 100 are buffered for a slow consumer; the stream ends when the client is shut down.
    public var traces: AsyncStream<CallTrace> { traces(buffering: .standard) }

    /// Returns every call that begins from now on, with a buffer of another size.
    public func traces(buffering: ActivityBuffering) -> AsyncStream<CallTrace> {
        core.hub.subscribeToTraces(buffering)
    }

    /// The number of elements of ``activity`` and ``traces`` that slow consumers lost, all consumers together.
    public var droppedActivityEvents: Int { core.hub.dropped }

    /// Returns the connections of the client's transport by origin: the numbers of open and idle connections, and of
    /// calls that wait for one. Clients that share the transport share its connections. Empty for a transport that
    /// doesn't know its connections, such as URLSession's.
    public func connections() async -> [HostConnections] { await shared.transport.connections() }

    /// Ends every call with `.cancelled`, including streamed bodies. The client and its connections stay usable.
    ///
    ///     client.cancelAll()
    ///
    /// This applies to every suspension point of a call. If a call is suspended in your own middleware, transport or
    /// credential provider, that task is cancelled; if it ignores cancellation, the call ends without it.
    public func cancelAll() {
        core.cancelAll()
    }

    /// Accepts no more calls, ends running ones with `.shutdown` and waits until they have ended, closes the
    /// connections, and ends the activity streams.
    ///
    /// Clients that share the transport are shut down with it, except for ``CurlTransport/shared``, which keeps
    /// running. Calling this is optional: a client that's released leaves nothing behind.
    ///
    ///     await client.shutdown(grace: .seconds(5))
    ///
    /// - Parameter grace: The time that running calls have to end by themselves, on the client's clock. Default none.
    ///   Cancelling the task ends the grace period.
    public func shutdown(grace: Duration = .zero) async {
        await core.shutdown(grace: grace)
    }
}

extension HTTPClient {
    /// Builds the request as it would be sent: URL, headers and body, after the client's modifiers. Throws
    /// `.invalidRequest` or `.encoding`, or the error of a modifier.
    public func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        try core.prepare(request)
    }

    /// Sends a request and returns its decoded response, which may be ignored.
    ///
    /// Throws `.rejected` with the request's typed failure if the status doesn't pass its validation and the body
    /// decodes as one; `.failed` for everything else, including cancellation.
    @discardableResult
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        try await begin(request, delivery: nil).value()
    }

    /// Sends a request and returns its decoded response with head and metrics. Throws like ``send(_:)``.
    public func response<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> Response<R.Response> {
        try await begin(request, delivery: nil).response()
    }

    /// Sends a request and returns as soon as the head has arrived. Throws like ``send(_:)``; at most 64 KiB of a
    /// failed response are read.
    ///
    /// The call ends with the body: read it to its end, cancel it, or drop it.
    public func stream<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> StreamedResponse {
        try await begin(request, delivery: .streamed).streamed()
    }

    /// Sends a prepared request and handles its response as that of `request`.
    ///
    /// Throws `.failed` with `.invalidRequest` if the prepared request can't be sent as it is.
    public func response<R: APIRequest>(
        _ request: R, as prepared: PreparedRequest
    ) async throws(APIError<R.Failure>) -> Response<R.Response> {
        do throws(NetError) {
            try check(prepared)
        } catch {
            throw .failed(error)
        }
        let call = ClientCall<R>(
            prepared, serializer: request.serializer, failureSerializer: request.failureSerializer, core: core,
            delivery: nil, observers: shared.configuration.resultObservers)
        return try await call.response()
    }

    /// Sends a request and returns the undecoded response, whatever its status.
    public func raw<R: APIRequest>(_ request: R) async throws(NetError) -> Response<Bytes> {
        // Sends the request's `Accept`, unless the request or the client sets that header.
        var plain = Request<Bytes>(
            request.path, method: request.method, query: request.query, headers: request.headers, body: request.body,
            options: request.options,
            serializer: ResponseSerializer(accept: request.serializer.accept) { _, bytes, _ in bytes })
        plain.options.validation = .any
        do {
            return try await response(plain)
        } catch {
            switch error {
            case .failed(let error): throw error
            }
        }
    }

    func begin<R: APIRequest>(
        _ request: R, delivery: BodyDelivery?, progress: ProgressObserver? = nil
    ) throws(APIError<R.Failure>) -> ClientCall<R> {
        do {
            return try ClientCall(
                request, core: core, delivery: delivery, progress: progress,
                observers: delivery == .streamed ? [] : shared.configuration.resultObservers)
        } catch {
            throw .failed(error)
        }
    }
}
