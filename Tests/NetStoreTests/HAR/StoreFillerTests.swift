import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import Testing

@testable import NetStore

/// Fills a store for `scripts/conformance har`, with a client's calls to a site given in the environment.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["NET_HAR_SITE"] != nil), .timeLimit(.minutes(5)))
struct StoreFillerTests {
    @Test func `a client's calls are stored for other programs`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let (site, path) = (try #require(environment["NET_HAR_SITE"]), try #require(environment["NET_HAR_STORE"]))
        let capture = ActivityStore.Capture(
            hasHeaders: true, bodies: CaptureLimits(bodyBytes: 1 << 20, mediaTypes: ["*/*"]), hasMessages: true)
        let store = try ActivityStore(path: path, configuration: .init(capture: capture))
        var configuration = HTTPClient.Configuration(baseURL: try BaseURL(site))
        configuration.listeners = [store]
        let client = HTTPClient(configuration: configuration)
        let gets: [Request<Bytes>] = [
            Request("/plain"), Request("/items.json", query: ["page": "1"]), Request("/moved"), Request("/gzip"),
            Request("/logo.png"),
            Request("/missing"),
        ]
        for request in gets { _ = try? await client.send(request) }
        for (type, body) in [
            ("application/json", #"{"n":1,"t":"é"}"#), ("application/x-www-form-urlencoded;charset=UTF-8", "a=1+2&b=x"),
        ] {
            var request = Request<Bytes>("/echo", method: .post)
            request.headers[.contentType] = type
            request.body = .bytes(Bytes(body.utf8))
            _ = try? await client.send(request)
        }
        try await store.close()
    }
}
