#if Tools
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetStore
import NetTesting

/// A store of calls to a shop in memory, the same each time: a list, a retry, a form, an order, a redirect, bytes, a
/// failure.
struct ShopCalls {
    static let token = "harbour-token-4711"

    private static let stubs = [
        Stub(.get, "/v1/books", .json(text: #"[{"id":1,"title":"Moby-Dick"},{"id":2,"title":"Typee"}]"#)),
        Stub(.get, "/v1/books/7", .json(text: #"{"error":"full"}"#, status: .tooManyRequests).header(.retryAfter, "30"))
            .times(1).priority(1),
        Stub(.get, "/v1/books/7", .json(text: #"{"id":7,"price":12.5,"token":"t-1234567890","title":"Emma \"2\""}"#)),
        Stub(.post, "/v1/orders", .json(text: #"{"id":1001,"isPaid":false}"#, status: .created)),
        Stub(.post, "/v1/search", .text("two books")),
        Stub(.get, "/v1/old", StubResponse(status: .found, headers: [.location: "/v1/books/7?from=old"])),
        Stub(.get, "/v1/cover", .bytes([0xff, 0xd8, 0x00, 0x01], contentType: "image/jpeg")),
        Stub(.delete, "/v1/books/8", .status(.noContent)),
        Stub(.get, "/v1/broken", .dropped()),
    ]

    /// Writes the store, with marks in place of secrets.
    static func write(to path: String) async throws {
        let clock = TestClock()
        let store = try ActivityStore(path: path, configuration: .init(capture: .bodies, clock: clock.netClock))
        var redaction = RedactionPolicy.safeDefault
        redaction.markKey = RedactionPolicy.MarkKey([UInt8](0..<16))
        let client = HTTPClient(baseURL: "https://shop.example.com/v1", transport: MockTransport(stubs)) {
            $0.clock = clock.netClock
            $0.random = SeededRandom(seed: 1).netRandom
            $0.headers = [.authorization: "Bearer \(token)", .userAgent: "shop/1"]
            $0.redaction = redaction
            $0.middleware = [RetryMiddleware()]
            $0.listeners = [store]
        }
        for request in requests {
            _ = try? await clock.run { try await client.raw(request) }
            await clock.advance(by: .seconds(1))
        }
        await client.shutdown()
        try await store.close()
    }

    private static var requests: [Request<Data>] {
        func named(_ operation: String) -> RequestOptions {
            var options = RequestOptions()
            options.metadata = RequestMetadata(operationID: operation)
            return options
        }
        return [
            Request(
                "books", query: [QueryItem("genre", "sea,poetry", isEncoded: true), QueryItem("q", "a b")],
                options: named("listBooks")),
            Request("books/\(7)", query: ["api_key": "k-1234567890"], options: named("getBook")),
            Request(
                "orders", method: .post, body: .json(["sku": "a\"b\\c\n\u{202e}", "password": "hunter2-hunter2"]),
                options: named("placeOrder")),
            Request("search", method: .post, body: .form(["q": "whale", "token": "t-1234567890"])),
            Request("old", options: named("moved")),
            Request("cover"), Request("books/8", method: .delete), Request("broken"),
        ]
    }
}
#endif
