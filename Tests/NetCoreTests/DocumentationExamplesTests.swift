import HTTPTypes
import NetCore
import NetTesting
import Testing

// The examples of the doc comments, copied unchanged.

private struct GetUser: APIRequest {
    struct Response: Decodable, Sendable { let id: Int, name: String }
    let id: Int
    var path: Path { "users/\(id)" }
}

private struct Canned: HTTPTransport {
    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(Bytes("{}".utf8)))
    }
}

private struct Stamp: Middleware {
    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
        var request = request
        request.head.headerFields[.userAgent] = "example/1.0"
        return try await next(request, context)
    }
}

@Suite struct DocumentationExamplesTests {
    @Test func pathsAndQueriesPrintWhatTheirCommentsSay() {
        let path: Path = "users/\(42)/files/\("a/b c.txt")"
        #expect(path.encoded == "users/42/files/a%2Fb%20c.txt")
        let items: QueryItems = [QueryItem("tag", "a b"), QueryItem("tag", "c+d")]
        #expect(items.encodedQuery == "tag=a%20b&tag=c%2Bd")
        #expect(GetUser(id: 7).path.encoded == "users/7")
        let request = Request<[String: Int]>("stock/\(42)", query: [QueryItem("unit", "kg")])
        #expect(request.path.encoded == "stock/42")
        #expect(request.query.encodedQuery == "unit=kg")
    }

    @Test func bodiesAndCoding() async throws {
        let greeting = Bytes("hello".utf8)
        #expect(greeting.count == 5)
        #expect(String(decoding: greeting, as: UTF8.self) == "hello")
        let coding = JSONCoding.snakeCaseISO8601
        #expect(try coding.encode(["firstName": "Ada"]).count > 0)
        let body = ResponseBody(greeting).onEnd { _ in }
        var count = 0
        for try await chunk in body { count += chunk.count }
        #expect(count == 5)
        let serializer = ResponseSerializer<[String: Int]>.json
        #expect(serializer.accept == "application/json")
    }

    @Test func policiesAndOptions() {
        var policy = RedactionPolicy.safeDefault
        policy.queryNames.insert("session")
        #expect(policy.redact(url: "?session=1") == "?session=<redacted>")
        let options = RequestOptions(validation: .codes([200, 304]))
        #expect(options.validation.isAcceptable(304))
        #expect((0..<1).contains(NetRandom.system.unit()))
    }

    @Test func aMiddlewareInFrontOfATransport() async throws {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")
        let request = PreparedRequest(head: head)
        let next = Next { (request, context) async throws(NetError) -> StreamedResponse in
            #expect(request.head.headerFields[.userAgent] == "example/1.0")
            return try await Canned().execute(request, context: context)
        }
        let response = try await Stamp().intercept(request, context: CallContext(for: request), next: next)
        #expect(response.head.isSuccess)
        #expect(Stamp().name == "Stamp")
        await Canned().shutdown()
    }

    @Test func aClockThatIsAskedForTheTime() async throws {
        let clock = TestClock()
        let start = clock.netClock.now()
        async let slept: Void = clock.netClock.sleep(for: .milliseconds(10))
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .milliseconds(10))
        try await slept
        #expect(clock.netClock.now() - start == .milliseconds(10))
    }
}
