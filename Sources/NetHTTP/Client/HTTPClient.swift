internal import HTTPTypes
public import NetCore

/// Sends typed requests and decodes their answers. A value: copies share connections, events and counters.
///
/// A call ends when its body ends. Cancelling the task ends the transfer at once.
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
    let core: ClientCore

    /// Makes a client that sends over `transport`.
    public init(configuration: Configuration, transport: any HTTPTransport) {
        core = ClientCore(configuration: configuration, transport: transport)
    }

    /// Makes a client with the defaults that sends over `transport`.
    public init(baseURL: BaseURL, transport: any HTTPTransport) {
        self.init(configuration: Configuration(baseURL: baseURL), transport: transport)
    }

    #if os(Linux) || canImport(Darwin)
    /// Makes a client over the transport that clients share which are given none: libcurl's (``CurlTransport/shared``), on
    /// Apple platforms one of its own of URLSession.
    public init(configuration: Configuration) {
        #if os(Linux)
        self.init(configuration: configuration, transport: CurlTransport.standard)
        #else
        self.init(configuration: configuration, transport: URLSessionTransport())
        #endif
    }

    /// Makes a client with the defaults over the same transport.
    public init(baseURL: BaseURL) {
        self.init(configuration: Configuration(baseURL: baseURL))
    }
    #endif

    /// What the client was made with.
    public var configuration: Configuration { core.configuration }

    /// A client with changed settings over the same transport. It has calls, events and counters of its own: ``cancelAll()`` of
    /// one leaves the other's calls alone; ``shutdown(grace:)`` of either shuts the transport down for both.
    public func with(_ change: (inout Configuration) -> Void) -> HTTPClient {
        var configuration = core.configuration
        change(&configuration)
        return HTTPClient(configuration: configuration, transport: core.transport)
    }

    /// Calls that have begun and not ended, streamed bodies included.
    public var unfinishedCalls: Int { core.calls.count }

    /// Every event from now on, for one reader; the newest 100 wait for a slow one, and older ones
    /// are dropped and counted in ``droppedActivityEvents``. The stream ends when the client is shut down.
    public var activity: AsyncStream<ActivityEvent> { activity(buffering: .standard) }

    /// The same with a buffer of another size.
    ///
    ///     for await event in client.activity(buffering: .oldest(1000)) { print(event.diagnosticSummary) }
    public func activity(buffering: ActivityBuffering) -> AsyncStream<ActivityEvent> { core.hub.subscribe(buffering) }

    /// Every call that begins from now on, as one value when it has ended: a stream at the end of its body. The newest 100
    /// wait for a slow reader; the stream ends when the client is shut down.
    public var traces: AsyncStream<CallTrace> { traces(buffering: .standard) }

    /// The same with a buffer of another size.
    public func traces(buffering: ActivityBuffering) -> AsyncStream<CallTrace> {
        core.hub.subscribeToTraces(buffering)
    }

    /// What readers of ``activity`` and ``traces`` lost because they were slower, all readers together.
    public var droppedActivityEvents: Int { core.hub.dropped }

    /// Ends every call with `.cancelled`, streamed bodies included. The client and its connections stay usable.
    ///
    ///     client.cancelAll()
    ///
    /// That holds wherever a call waits. The task in which your own middleware, transport or credential provider runs is
    /// cancelled; if it ignores that, the call ends without it.
    public func cancelAll() {
        core.calls.endAll(CallLife.Reason(.cancelled, "the client cancelled all its calls"))
    }

    /// Accepts no more calls, ends those under way with `.shutdown` and waits until they have ended, closes the
    /// connections, and ends the activity streams.
    ///
    /// Clients that share the transport are shut down with it, but for ``CurlTransport/shared``, which goes on. Nobody has
    /// to call this: a client that is dropped leaves nothing behind.
    ///
    ///     await client.shutdown(grace: .seconds(5))
    ///
    /// - Parameter grace: How long the calls may take to end by themselves, on the client's clock. Default none. Cancelling
    ///   the task ends it.
    public func shutdown(grace: Duration = .zero) async {
        await core.calls.close(grace: grace, clock: core.configuration.clock)
        await core.transport.shutdown()
        core.hub.finish()
    }
}

extension HTTPClient {
    /// Builds the request as it would be sent: URL, fields and body, after the client's modifiers. Throws `.invalidRequest`
    /// or `.encoding`, or what a modifier throws.
    public func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        try core.prepare(request)
    }

    /// Sends a request and returns its decoded answer.
    ///
    /// Throws `.rejected` with the request's typed failure when the status does not pass its validation and the body
    /// reads as one; `.failed` for everything else, `.cancelled` among it.
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        try await begin(request, delivery: nil).value()
    }

    /// Sends a request and returns its decoded answer with head and figures. Throws as ``send(_:)`` does.
    public func response<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> Response<R.Response> {
        try await begin(request, delivery: nil).response()
    }

    /// Sends a request and returns at the head, the body still arriving. Throws as ``send(_:)`` does; of a failing
    /// answer at most 64 KiB are read.
    ///
    /// The call ends when the body does: read it to its end, cancel it, or drop it.
    public func stream<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> StreamedResponse {
        try await begin(request, delivery: .streamed).streamed()
    }

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
            delivery: nil)
        return try await call.response()
    }

    /// Sends a request and returns the undecoded response, whatever its status.
    public func raw<R: APIRequest>(_ request: R) async throws(NetError) -> Response<Bytes> {
        // It accepts what the request does, unless that or the client has a field that says so.
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
            return try ClientCall(request, core: core, delivery: delivery, progress: progress)
        } catch {
            throw .failed(error)
        }
    }
}
