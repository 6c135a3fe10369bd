import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import Testing

@testable import NetStore

/// The contents of a store that captures a client's calls.
@Suite(.timeLimit(.minutes(5)))
struct CapturedCallTests {
    private static let secret = "pl4nted-s3cret"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ capture: ActivityStore.Capture) throws -> ActivityStore {
        try ActivityStore(
            path: folder.file(), configuration: ActivityStore.Configuration(capture: capture, retention: .none))
    }

    private func client(_ store: ActivityStore, _ stubs: [Stub]) -> HTTPClient {
        HTTPClient(baseURL: "https://mock.test", transport: MockTransport(stubs)) {
            $0.listeners = [store]
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
        }
    }

    private func send(_ client: HTTPClient, _ request: Request<String>) async {
        // A status that isn't accepted is a call like any other here.
        _ = try? await client.send(request)
    }

    private func post(_ path: Path, _ type: String, _ body: String) -> Request<String> {
        var request = Request<String>(path, method: .post)
        request.headers[.contentType] = type
        request.headers[.authorization] = "Bearer \(Self.secret)"
        request.body = .bytes(Bytes(body.utf8))
        return request
    }

    @Test func bodiesComeBackWithoutTheirSecrets() async throws {
        let store = try store(.bodies)
        let secret = Self.secret
        let answer = StubResponse.text(#"{"name":"visible answer","access_token":"\#(secret)"}"#)
            .header(.contentType, "application/json").header(.setCookie, "session=\(secret)")
        let client = client(store, [Stub(.post, "/a", answer)])
        let boundary = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b--\r\n"
        await send(client, post("/a", "application/json", #"{"password":"\#(secret)","note":"visible question"}"#))
        await send(client, post("/a", "application/x-www-form-urlencoded", "password=\(secret)&note=visible"))
        await send(client, post("/a", "multipart/form-data; boundary=b", boundary))
        try await store.flush()
        let json = try await store.items(matching: ActivityFilter(#"~bq "visible question" ~bs "visible answer""#))
        #expect(json.count == 1)
        #expect(json.first?.requestType == "application/json")
        #expect(try await store.count(matching: ActivityFilter("~hq 'authorization: <redacted>'")) == 3)
        let id = try #require(json.first?.id)
        let detail = try #require(try await store.item(id: id))
        let exchange = try #require(detail.exchanges.first)
        #expect(exchange.responseHeaders.contains { $0.name == "Set-Cookie" && $0.value == "<redacted>" })
        #expect(exchange.request?.isCut == false)
        try await store.close()
        let bytes = try folder.allBytes()
        #expect(bytes.range(of: Data("mock.test".utf8)) != nil)
        #expect(bytes.range(of: Data(secret.utf8)) == nil)
    }

    @Test func nothingIsCapturedUnlessItIsChosen() async throws {
        let store = try store(.nothing)
        #expect(store.interest == [.calls, .sockets, .jobs])
        let client = client(store, [Stub(.get, "/a", .text("hello"))])
        await send(client, Request<String>("/a"))
        try await store.flush()
        #expect(try await store.item(id: 1)?.exchanges == [])
        try await store.close()
    }

    @Test func headersAloneHaveSizesAndNoBodies() async throws {
        let store = try store(.headers)
        let client = client(store, [Stub(.get, "/a", .text("hello"))])
        await send(client, Request<String>("/a"))
        try await store.flush()
        let exchange = try #require(try await store.item(id: 1)?.exchanges.first)
        #expect(exchange.response?.size == 5)
        #expect(exchange.response?.bytes.isEmpty == true)
        #expect(exchange.responseHeaders.contains { $0.name == "Content-Type" })
        try await store.close()
    }

    @Test func aRuleKeepsTroublesAndAFewOfTheRest() async throws {
        var capture = ActivityStore.Capture.headers
        capture.rule = .troubles(slowerThan: .seconds(60), andOneIn: 4)
        let store = try store(capture)
        let client = client(store, [Stub(.get, "/good", .text("")), Stub(.get, "/bad", .status(.badGateway))])
        for _ in 0..<200 { await send(client, Request<String>("/good")) }
        for _ in 0..<5 { await send(client, Request<String>("/bad")) }
        try await store.flush()
        #expect(try await store.count(matching: ActivityFilter("/bad ~h content-length")) == 5)
        let good = try await store.count(matching: ActivityFilter("/good ~h content-length"))
        #expect((20...90).contains(good), "\(good) of 200")
        try await store.close()
    }

    @Test func responsesServedByTheCacheAreCaptured() async throws {
        let store = try store(.bodies)
        let answer = StubResponse.text("kept").header(.cacheControl, "max-age=60")
        let transport = MockTransport([Stub(.get, "/a", answer)])
        let client = HTTPClient(baseURL: "https://mock.test", transport: transport) {
            $0.listeners = [store]
            $0.middleware = [CacheMiddleware(MemoryCacheStore())]
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
        }
        for _ in 0..<2 { await send(client, Request<String>("/a")) }
        try await store.flush()
        let second = try #require(try await store.items(matching: .cache("hit")).first)
        #expect(try await store.item(id: second.id)?.exchanges.map(\.number) == [0])
        #expect(try await store.count(matching: .responseBody("kept")) == 2)
        try await store.close()
    }
}
