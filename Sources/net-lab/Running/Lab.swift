#if Tools && Server
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetSocket
internal import NetStore
internal import NetTestServer
internal import NetTesting

/// The environment of the scenarios: a bookshop, clients that call it over libcurl or in memory, and the store that
/// records the activity.
struct Lab: Sendable {
    let peer: LabPeer
    let world: LabWorld
    let store: ActivityStore
    let tally: Tally
    var client: HTTPClient
    let sockets: WebSocketClient

    var shop: Shop { world.shop }

    /// Starts the peer, opens the store and creates the clients.
    static func open(
        _ mode: LabMode = .live, storePath: String, seed: UInt64, world: LabWorld = LabWorld()
    ) async throws -> Lab {
        let store = try ActivityStore(path: storePath, configuration: .init(capture: .bodies))
        let peer = try await LabPeer.start(mode, world.stubs, webSockets: world.webSockets)
        let configuration = HTTPClient.Configuration(
            baseURL: try BaseURL("\(peer.baseURL)/v1"),
            headers: [.userAgent: "net-lab/0.1", .authorization: "Bearer harbour-token"],
            timeouts: .total(.seconds(20)),
            middleware: [RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(20))))],
            listeners: [store], random: SeededRandom(seed: seed).netRandom)
        return Lab(
            peer: peer, world: world, store: store, tally: Tally(),
            client: HTTPClient(configuration: configuration, transport: peer.transport),
            sockets: peer.sockets(listeners: [store]))
    }

    /// Stops everything.
    func close() async {
        await client.shutdown()
        await sockets.shutdown()
        await peer.stop()
        // Missing entries already show in the counts.
        try? await store.close()
    }

    /// Returns the same lab with another client over the same connections.
    func with(_ change: (inout HTTPClient.Configuration) -> Void) -> Lab {
        var lab = self
        lab.client = client.with(change)
        return lab
    }

    /// Runs work that waits for time to pass. In memory it uses a test clock, which advances as soon as all tasks wait.
    func passingTime<Value: Sendable>(
        _ work: @escaping @Sendable (Lab) async throws -> Value
    ) async throws -> Value {
        guard case .mock = peer else { return try await work(self) }
        let clock = TestClock(date: NetClock.system.date())
        let lab = with { $0.clock = clock.netClock }
        return try await clock.run { try await work(lab) }
    }
}

// MARK: Counted calls

extension Lab {
    /// Sends a request and counts how the call ended.
    func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        try await response(request).value
    }

    /// Sends a request, returns the response with its head and metrics, and counts how the call ended.
    func response<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> Response<R.Response> {
        do {
            let response = try await client.response(request)
            count(.completed, of: request)
            return response
        } catch {
            count(error.outcome, of: request)
            throw error
        }
    }

    /// Sends a request, returns the undecoded response, and counts how the call ended.
    func raw<R: APIRequest>(_ request: R) async throws(NetError) -> Response<Bytes> {
        do {
            let response = try await client.raw(request)
            count(.completed, of: request)
            return response
        } catch {
            count(APIError<Never>.failed(error).outcome, of: request)
            throw error
        }
    }

    /// Counts a call whose end only the scenario can observe, such as that of a stream.
    func count<R: APIRequest>(_ outcome: StoredItem.Outcome, of request: R) {
        tally.count(outcome, of: request.options.metadata.operationName ?? Tally.unnamed)
    }

    /// Sends a request that must fail, and returns its error; nil if it succeeds.
    func failure<R: APIRequest>(of request: R) async -> APIError<R.Failure>? {
        do {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }

    /// Sends a request that must not succeed, and describes its failure: code and phase.
    func trouble<R: APIRequest>(with request: R) async -> String {
        switch await failure(of: request) {
        case nil: "it went well"
        case .rejected(_, let head)?: "rejected with \(head.status.code)"
        case .failed(let error)?: "\(error.code) while \(error.phase), attempt \(error.attempt ?? 0)"
        }
    }

    /// Opens a WebSocket, and counts it together with the call of its handshake.
    func connect(_ request: WebSocketRequest) async throws -> WebSocketConnection {
        do {
            let socket = try await sockets.connect(request)
            tally.count(.completed, of: Tally.unnamed)
            tally.countSocket()
            return socket
        } catch {
            tally.count(APIError<Never>.failed(error).outcome, of: Tally.unnamed)
            throw error
        }
    }
}
#endif
