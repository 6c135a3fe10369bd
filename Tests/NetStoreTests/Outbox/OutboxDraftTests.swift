import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

@testable import NetStore

/// The stored parts of a request, and the requests that are rejected.
struct OutboxDraftTests {
    private let configuration = Outbox.Configuration { $0.maximumBodyBytes = 10 }

    private func draft(
        _ path: Path = "orders", query: QueryItems = [], headers: HTTPFields = [:], body: RequestBody = .none,
        _ configure: (inout RequestOptions) -> Void = { _ in }
    ) async throws(OutboxError) -> OutboxDraft {
        var options = RequestOptions()
        configure(&options)
        let request = Request<Void>(
            path, method: .post, query: query, headers: headers, body: body, options: options)
        return try await OutboxDraft.make(request, configuration: configuration)
    }

    @Test func `a relative request stays relative`() async throws {
        let draft = try await draft("users/\("a/b")", query: ["page": 2, "q": "a b&c"]) { $0.apiVersion = "v2" }
        #expect(draft.target == "/v2/users/a%2Fb?page=2&q=a%20b%26c")
        #expect(!draft.isAbsolute)
        #expect(draft.method == .post)
        #expect(draft.body == nil)
        #expect(draft.accepted.text == "200-299")
        #expect(try await self.draft("").target == "")
        #expect(try await self.draft("", query: ["a": 1]).target == "?a=1")
    }

    @Test func `a request with a URL of its own is stored with it`() async throws {
        let absolute = try await draft("", query: ["a": 1]) { $0.absoluteURL = "https://h.example/x/?b=2" }
        #expect(absolute.target == "https://h.example/x/?b=2&a=1")
        #expect(absolute.isAbsolute)
        let based = try await draft { $0.baseURL = "https://h.example/v1" }
        #expect(based.target == "https://h.example/v1/orders")
        #expect(based.isAbsolute)
        var head = HTTPRequest(method: .put, scheme: "https", authority: "h.example", path: "/y")
        head.headerFields[.ifMatch] = "1"
        let prepared = try await OutboxDraft.make(PreparedRequest(head: head), configuration: configuration)
        #expect(prepared.target == "https://h.example/y")
        #expect(prepared.isAbsolute)
        #expect(prepared.headers == [.ifMatch: "1"])
    }

    @Test func `credentials are left out`() async throws {
        let name: HTTPField.Name = "X-User-Token"
        let headers: HTTPFields = [
            .authorization: "Bearer a", .proxyAuthorization: "Basic b", .cookie: "c=d", name: "e", .ifMatch: "f",
        ]
        #expect(try await draft(headers: headers).headers == [.ifMatch: "f"])
        // Even a policy that hides nothing keeps HTTP credentials out of the file.
        let open = try await draft(headers: headers) { $0.redaction = .disabled }
        #expect(open.headers == [name: "e", .ifMatch: "f"])
    }

    @Test func `a key of the caller's own is kept, and isn't a header`() async throws {
        let draft = try await draft { $0.idempotencyKey = "mine" }
        #expect(draft.idempotencyKey == "mine")
        #expect(draft.headers.isEmpty)
        let name: HTTPField.Name = "idempotency-key"
        #expect(try await self.draft(headers: [name: "own"]).idempotencyKey == "own")
        #expect(try await self.draft(headers: [name: ""]).idempotencyKey == nil)
    }

    @Test func `a credential in the URL is refused`() async throws {
        for url in ["https://h.example/?api_key=s3cret", "https://h.example/?a=1&access_token=s3cret"] {
            let error = await #expect(throws: OutboxError.self) { try await draft("") { $0.absoluteURL = url } }
            #expect(error?.code == .credentialInURL)
            #expect(error?.message.contains("s3cret") == false)
        }
        let error = await #expect(throws: OutboxError.self) { try await draft(query: ["token": "s3cret"]) }
        #expect(error?.code == .credentialInURL)
        await #expect(throws: OutboxError.self) {
            try await draft("") { $0.absoluteURL = "https://u:s3cret@h.example/" }
        }
    }

    @Test func `a body has a bound`() async throws {
        #expect(try await draft(body: .text("0123456789")).body?.count == 10)
        #expect(try await draft(body: .bytes([])).body?.count == 0)
        let many = AsyncStream<Bytes> { continuation in
            for _ in 1...20 { continuation.yield([1]) }
            continuation.finish()
        }
        let bodies: [RequestBody] = [
            .text("0123456789a"), .stream(many, length: 20, isReplayable: true), .stream(many, isReplayable: true),
        ]
        for body in bodies {
            let error = await #expect(throws: OutboxError.self) { try await draft(body: body) }
            #expect(error?.code == .bodyTooLarge)
        }
    }

    @Test func `a file is read, and a stream that can be read once is refused`() async throws {
        let folder = try TemporaryFolder()
        try Data("tea".utf8).write(to: URL(fileURLWithPath: folder.file("a.txt")))
        #expect(try await draft(body: .file(folder.file("a.txt"))).body == Bytes("tea".utf8))
        let missing = await #expect(throws: OutboxError.self) { try await draft(body: .file(folder.file("b"))) }
        #expect(missing?.code == .invalidRequest)
        let once = await #expect(throws: OutboxError.self) {
            try await draft(body: .stream(AsyncStream<Bytes> { $0.finish() }))
        }
        #expect(once?.code == .bodyNotReplayable)
        let trailers = await #expect(throws: OutboxError.self) {
            try await draft(body: .file(folder.file("a.txt")).trailers(["X-Count"]) { ["X-Count": "7"] })
        }
        #expect(trailers?.code == .invalidRequest)
    }

    @Test func `options that only live in memory are refused`() async throws {
        let changes: [(inout RequestOptions) -> Void] = [
            { $0.middleware = [StubMiddleware([])] }, { $0.replacesMiddleware = true },
            { $0.retryDecision = { _ in .stop } }, { $0.onInterimResponse = { _ in } },
            { $0.baseURL = "ftp://h" }, { $0.absoluteURL = "/relative" }, { $0.idempotencyKey = "" },
        ]
        for change in changes {
            let error = await #expect(throws: OutboxError.self) { try await draft("", change) }
            #expect(error?.code == .invalidRequest)
        }
    }
}
