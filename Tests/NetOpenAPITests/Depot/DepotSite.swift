#if Server
import NetHTTP
import NetOpenAPIRuntime
import NetTestServer
import NetTesting

/// A server on loopback, and the client generated from `parcel-depot.yaml`.
struct DepotSite {
    let server: TestServer
    let client: HTTPClient

    var api: ParcelDepotClient { ParcelDepotClient(client) }

    static func run(_ stubs: [Stub], _ body: (DepotSite) async throws -> Void) async throws {
        let server = try await TestServer.start(stubs)
        let client = HTTPClient(baseURL: server.baseURL) { $0.timeouts = Timeouts(firstByte: nil, stall: nil) }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(DepotSite(server: server, client: client)))
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        await server.stop()
        try result.get()
    }
}
#endif
