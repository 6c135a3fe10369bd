import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

#if Server
import NetTestServer
#endif

/// Ranges of a stub's body, in memory and on a socket.
struct RangeTests {
    private static let file = StubResponse(
        headers: [
            .contentType: "application/pdf", .eTag: "\"1\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
        ], body: .bytes(BytePattern.bytes(from: 0, count: 1000)))

    private static func answer(_ headers: HTTPFields, _ method: HTTPRequest.Method = .get) -> StubResponse {
        file.part(for: StubRequest(method: method, target: "/file", headers: headers))
    }

    @Test(arguments: [
        ("bytes=0-", 0..<1000), ("bytes=10-19", 10..<20), ("bytes=990-5000", 990..<1000), ("bytes=-1", 999..<1000),
        ("bytes=-5000", 0..<1000), ("bytes=999-", 999..<1000),
    ])
    func aRangeIsAnsweredWithItsPart(_ range: String, _ bytes: Range<Int>) {
        let answer = Self.answer([.range: range])
        #expect(answer.status == .partialContent)
        #expect(answer.headers[.contentRange] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/1000")
        #expect(answer.headers[.eTag] == "\"1\"")
        #expect(answer.body.whole == BytePattern.bytes(from: Int64(bytes.lowerBound), count: bytes.count))
    }

    @Test(arguments: ["bytes=1000-", "bytes=1000-1001", "bytes=-0"])
    func aRangePastTheEndCannotBeSatisfied(_ range: String) {
        let answer = Self.answer([.range: range])
        #expect(answer.status == .rangeNotSatisfiable)
        #expect(answer.headers[.contentRange] == "bytes */1000")
        #expect(answer.body.whole?.isEmpty == true)
    }

    @Test(arguments: ["bytes=1-2,5-6", "items=0-1", "bytes=x", "bytes=9-3", "bytes=-"])
    func otherRangesAreAnsweredWithTheWhole(_ range: String) {
        let answer = Self.answer([.range: range])
        #expect(answer.status == .ok)
        #expect(answer.body.whole?.count == 1000)
        #expect(answer.headers[.acceptRanges] == "bytes")
    }

    @Test(arguments: [
        ("\"1\"", HTTPResponse.Status.partialContent), ("\"2\"", .ok), ("W/\"1\"", .ok),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .partialContent), ("Sun, 06 Nov 1994 08:49:38 GMT", .ok), ("", .ok),
    ])
    func aRangeDependsOnItsCondition(_ condition: String, _ status: HTTPResponse.Status) {
        #expect(Self.answer([.range: "bytes=5-", .ifRange: condition]).status == status)
    }

    @Test func aWeakTagIsNoConditionOfARange() {
        let weak = Self.file.header(.eTag, "W/\"1\"")
        let request = StubRequest(method: .get, target: "/", headers: [.range: "bytes=5-", .ifRange: "W/\"1\""])
        #expect(weak.part(for: request).status == .ok)
    }

    @Test(
        arguments: [
            ([.ifNoneMatch: "\"2\", W/\"1\""], .notModified),
            ([.ifNoneMatch: "*"], .notModified), ([.ifNoneMatch: "\"2\""], .ok),
            ([.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], .notModified),
            ([.ifModifiedSince: "Sun, 06 Nov 1994 08:49:36 GMT"], .ok), ([.ifModifiedSince: "yesterday"], .ok),
            ([.ifNoneMatch: "\"2\"", .ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], .ok),
            ([.ifNoneMatch: "\"1\"", .range: "bytes=5-"], .notModified),
        ] as [(HTTPFields, HTTPResponse.Status)])
    func notModifiedIsSentOnlyIfTheClientsCopyIsCurrent(_ headers: HTTPFields, _ status: HTTPResponse.Status) {
        #expect(Self.answer(headers).status == status)
        #expect(Self.answer(headers, .head).status == status)
    }

    @Test func onlyGetHasRanges() {
        #expect(Self.answer([.range: "bytes=5-"], .head).status == .ok)
        #expect(Self.answer([.range: "bytes=5-"], .post).status == .ok)
        #expect(Self.answer([.range: "bytes=5-"], .post).headers[.acceptRanges] == nil)
    }

    @Test func anErrorAndABodyOfUnknownLengthHaveNone() {
        let request = StubRequest(method: .get, target: "/", headers: [.range: "bytes=1-"])
        for response in [StubResponse.text("gone", status: .gone), .chunks(["abc"]), .file("/nowhere")] {
            let answer = response.part(for: request)
            #expect(answer.status == response.status)
            #expect(answer.headers[.acceptRanges] == nil)
        }
    }

    private static let large = StubResponse.bytes(BytePattern.bytes(from: 0, count: 300_000)).header(.eTag, "\"1\"")

    private static func stubs(_ path: String) -> [Stub] {
        [
            .pattern(bytes: 300_000), Stub(.get, "/file", .file(path)).servingRanges(),
            Stub(.get, "/made") { _ in large.header(.contentLength, "300000") }.servingRanges(),
            Stub(.get, "/dropped", large.dropping(.afterBodyBytes(500))).servingRanges(),
        ]
    }

    private func check(_ client: HTTPClient) async throws {
        for path in ["bytes", "file", "made"] {
            var request = Request<Bytes>(Path(path), serializer: .bytes)
            request.headers[.range] = "bytes=100001-299998"
            let part = try await client.response(request)
            #expect(part.head.status == .partialContent)
            #expect(part.head[.contentRange] == "bytes 100001-299998/300000")
            #expect(part.head[.contentLength] == "199998")
            #expect(part.head[.acceptRanges] == "bytes")
            #expect(BytePattern.matches(part.value, at: 100_001))
            #expect(part.value.count == 199_998)
        }
        var request = Request<Bytes>("dropped", serializer: .bytes)
        request.headers[.range] = "bytes=100-"
        let error = await #expect(throws: APIError<Never>.self) { try await client.send(request) }
        #expect(error?.netError?.code == .connectionLost, "\(String(describing: error))")
    }

    private func withFile(_ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "net-\(UUID().uuidString)")
        try BytePattern.bytes(from: 0, count: 300_000).data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path())
    }

    @Test func theMockServesThem() async throws {
        try await withFile { path in
            try await check(HTTPClient(baseURL: "http://api.test", transport: MockTransport(Self.stubs(path))))
        }
    }

    #if Server
    @Test func theServerServesThem() async throws {
        try await withFile { path in
            let server = try await TestServer.start(Self.stubs(path))
            let client = HTTPClient(baseURL: server.baseURL)
            try await check(client)
            await client.shutdown()
            await server.stop()
        }
    }
    #endif
}
