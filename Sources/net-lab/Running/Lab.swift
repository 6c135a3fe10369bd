#if Tools && Server
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore
internal import NetTestServer
internal import NetTesting

/// The world of the scenarios: a bookshop's server, a client that talks to it over libcurl, and the store that listens.
struct Lab: Sendable {
    let server: TestServer
    let shop: Shop
    let store: ActivityStore
    let tally: Tally
    var client: HTTPClient

    /// Starts the server, opens the store and makes the client.
    static func open(storePath: String, seed: UInt64) async throws -> Lab {
        let shop = Shop()
        let server = try await TestServer.start(shop.stubs)
        let store = try ActivityStore(path: storePath)
        let configuration = HTTPClient.Configuration(
            baseURL: try BaseURL("\(server.baseURL)/v1"),
            headers: [.userAgent: "net-lab/0.1", .authorization: "Bearer harbour-token"],
            timeouts: .total(.seconds(20)),
            middleware: [RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(20))))],
            listeners: [store], random: SeededRandom(seed: seed).netRandom)
        return Lab(
            server: server, shop: shop, store: store, tally: Tally(), client: HTTPClient(configuration: configuration))
    }

    /// Ends everything.
    func close() async {
        await client.shutdown()
        await server.stop()
        // What could not be written shows in the counts already.
        try? await store.close()
    }

    /// The same lab with another client over the same connections.
    func with(_ change: (inout HTTPClient.Configuration) -> Void) -> Lab {
        var lab = self
        lab.client = client.with(change)
        return lab
    }

    /// Sends a request and counts how the call ended.
    func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        try await response(request).value
    }

    /// Sends a request, with the head and figures of its answer, and counts how the call ended.
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

    /// Counts a call whose end the scenario sees for itself, such as a stream's.
    func count<R: APIRequest>(_ outcome: StoredItem.Outcome, of request: R) {
        tally.count(outcome, of: request.options.metadata.operationName ?? "(no name)")
    }
}
#endif
