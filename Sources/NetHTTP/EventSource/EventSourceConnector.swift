internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// Establishes the connections of an event source.
struct EventSourceConnector: Sendable {
    let configuration: EventSource.Configuration
    private let client: HTTPClient
    private let request: Request<ResponseBody>
    /// The logins of the first connection, which all others must have too.
    private let login = FirstLogin()

    init<R: APIRequest>(_ request: R, client: HTTPClient, configuration: EventSource.Configuration) {
        self.client = client
        self.configuration = configuration
        var options = request.options
        options.validation = .codes([200, 204])
        var timeouts = options.timeouts ?? Timeouts()
        timeouts.stall = configuration.idleTimeout
        // A total timeout doesn't apply to a stream without an end.
        timeouts.total = nil
        options.timeouts = timeouts
        var headers = request.headers
        headers[.accept] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        self.request = Request<ResponseBody>(
            request.path, method: request.method, query: request.query, headers: headers, body: request.body,
            options: options)
    }

    var clock: NetClock { client.configuration.clock }
    var coding: JSONCoding { client.configuration.coding }
    /// A uniform number in `0 ..< 1`.
    var random: Double { client.configuration.random.unit() }

    /// True if the request may be sent again.
    var isRepeatable: Bool {
        let hasKey =
            request.options.idempotencyKey != nil
            || request.headers.contains { $0.name.canonicalName == "idempotency-key" }
        let rule = request.options.retry ?? .automatic
        guard rule.allows(request.method, hasIdempotencyKey: hasKey) else { return false }
        // A body that can't be created throws when it's to be sent.
        guard case .stream(_, isReplayable: false, _)? = try? request.body.resolved(with: coding).content else {
            return true
        }
        return false
    }

    func connect(lastEventID: String) async throws(NetError) -> StreamedResponse {
        var request = request
        if !lastEventID.isEmpty { request.headers[.lastEventID] = lastEventID }
        if let prepared = try? client.prepare(request) {
            request.options.login = await login.value { [client] in await client.login(of: prepared) }
        }
        do {
            return try await client.stream(request)
        } catch {
            switch error {
            case .failed(let error): throw error
            }
        }
    }

    /// The `Retry-After` of the response that an error contains.
    func retryAfter(of error: NetError) -> Duration? {
        error.response?.head[.retryAfter].flatMap { HTTPDate.delay(retryAfter: $0, now: clock.date()) }
    }
}

/// The logins of the first of several calls, taken once.
private final class FirstLogin: Sendable {
    private let taken = Mutex<CallLogin??>(nil)

    func value(_ take: () async -> CallLogin?) async -> CallLogin? {
        if let login = taken.withLock({ $0 }) { return login }
        let login = await take()
        return taken.withLock { taken in
            if let earlier = taken { return earlier }
            taken = .some(login)
            return login
        }
    }
}
