#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The most common tasks of AsyncHTTPClient users, as they would first write them.
@Suite(.timeLimit(.minutes(1))) struct AsyncHTTPClientTests {
    private typealias User = NeighborSite.User

    // HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(30))
    @Test func execute() async throws {
        try await NeighborSite.run { server, _ in
            let response = try await HTTPClient.shared.stream(Request<Bytes>(url: "\(server.baseURL)/hello"))
            #expect(response.status == .ok)
            #expect(try await response.body.collect(upTo: 1 << 20) == Bytes("hello".utf8))
        }
    }

    // String(buffer: try await response.body.collect(upTo: 1 << 20))
    @Test func bodyAsText() async throws {
        try await NeighborSite.run { _, client in
            let found = try await client.stream("hello").text(upTo: 1 << 20)
            #expect(found == "hello")
        }
    }

    // JSONDecoder().decode(User.self, from: try await response.body.collect(upTo: 1 << 20))
    @Test func bodyAsJSON() async throws {
        try await NeighborSite.run { _, client in
            let found = try await client.stream("users/7").decode(User.self).name
            #expect(found == "Ada")
        }
    }

    // request.method = .POST; request.body = .bytes(ByteBuffer(string: "…"))
    @Test func bytesOfABody() async throws {
        try await NeighborSite.run { _, client in
            var request = Request<EchoedRequest>("echo")
            request.method = .post
            request.body = .bytes("content".utf8)
            let found = try await client.send(request).text
            #expect(found == "content")
        }
    }

    // request.body = .bytes([UInt8]), .bytes(Data)
    @Test func bytesOfEveryKind() async throws {
        try await NeighborSite.run { _, client in
            let bodies: [RequestBody] = [
                .bytes([0x68, 0x69]), .bytes(Data("hi".utf8)), .bytes("hi".utf8), .bytes("hi".utf8),
                .bytes(Array("hi!".utf8).dropLast()),
            ]
            for body in bodies {
                let found = try await client.send(Request<EchoedRequest>("echo", method: .post, body: body)).text
                #expect(found == "hi")
            }
        }
    }

    // request.body = .stream(sequence, length: .unknown)
    @Test func streamOfABody() async throws {
        try await NeighborSite.run { _, client in
            let chunks = AsyncStream<Bytes> { stream in
                stream.yield([0x61])
                stream.yield(Bytes("bc".utf8))
                stream.finish()
            }
            let request = Request<EchoedRequest>("echo", method: .post, body: .stream(chunks))
            let found = try await client.send(request).text
            #expect(found == "abc")
        }
    }

    // request.headers.add(name: "X-Client", value: "phone")
    @Test func headersOfARequest() async throws {
        try await NeighborSite.run { _, client in
            var request = Request<EchoedRequest>("echo")
            request.headers["X-Client"] = "phone"
            request.headers[.userAgent] = "robot"
            let echo = try await client.send(request)
            #expect(echo.value("X-Client") == "phone")
            #expect(echo.value("User-Agent") == "robot")
        }
    }

    // response.headers.first(name: "X-Total")
    @Test func headersOfAResponse() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.stream("users/7")
            #expect(response["X-Total"] == "42")
            #expect(response.headers["x-total"] == "42")
            response.body.cancel()
        }
    }

    // guard response.status == .ok else { … }: any status is a response
    @Test func everyStatus() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.raw(Request<Bytes>("missing"))
            #expect(response.status == .notFound)
            #expect(!response.value.isEmpty)
        }
    }

    // for try await buffer in response.body { … }
    @Test func streamedBody() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.stream("film")
            #expect(response[.contentLength] == "300000")
            var received = 0
            for try await chunk in response.body { received += chunk.count }
            #expect(received == 300_000)
        }
    }

    // FileDownloadDelegate(path:)
    @Test func downloadToAFile() async throws {
        try await NeighborSite.run { _, client in
            try await TemporaryFolder.with { folder in
                let count = try await client.stream("film").write(to: folder.path("film"))
                #expect(count == 300_000)
                #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("film"))) == NeighborSite.film.data)
            }
        }
    }

    // HTTPClient.Configuration(timeout: .init(connect: .seconds(5), read: .seconds(10)))
    @Test func timeoutsOfTheClient() async throws {
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) {
                $0.timeouts = Timeouts(connect: .seconds(5), firstByte: .milliseconds(50))
            }
            let error = await #expect(throws: APIError<Never>.self) { try await client.get("slow", as: String.self) }
            #expect(error?.isTimeout == true)
        }
    }

    // execute(request, deadline: .now() + .milliseconds(50))
    @Test func deadlineOfACall() async throws {
        try await NeighborSite.run { _, client in
            let request = Request<String>("slow").with { $0.timeouts = .total(.milliseconds(50)) }
            let error = await #expect(throws: APIError<Never>.self) { try await client.send(request) }
            #expect(error?.isTimeout == true)
        }
    }

    // redirectConfiguration: .disallow
    @Test func noRedirects() async throws {
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) { $0.redirects = .manual }
            let found = try await client.raw(Request<Bytes>("old")).status
            #expect(found == .found)
        }
    }

    // response.history, response.url
    @Test func redirectHistory() async throws {
        try await NeighborSite.run { server, client in
            let response = try await client.response(Request<User>("old"))
            #expect(response.history.map(\.status) == [302])
            #expect(response.url == "\(server.baseURL)/users/7")
        }
    }

    // decompression: .enabled(limit: .ratio(100)); maximum size of a body
    @Test func limitOfABody() async throws {
        try await NeighborSite.run { _, client in
            let request = Request<Bytes>("film", options: RequestOptions(maximumResponseBytes: 1000))
            let error = await #expect(throws: APIError<Never>.self) { try await client.send(request) }
            #expect(error?.netError?.code == .bodyTooLarge)
        }
    }

    // HTTPClientError.connectTimeout, .remoteConnectionClosed …
    @Test func errorOfAConnection() async throws {
        let client = HTTPClient(baseURL: "http://127.0.0.1:1")
        do {
            try await client.send(Request<Void>("hello"))
            Issue.record("nothing listens there")
        } catch {
            #expect(error.isConnectivity)
            #expect(error.netError?.code == .connect)
        }
    }

    // HTTPClient.Configuration(tlsConfiguration:), proxy, http2
    @Test func transportSettings() async throws {
        try await NeighborSite.run { server, _ in
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .none
            configuration.tls.minimumVersion = .tls13
            let client = HTTPClient(baseURL: server.baseURL, transport: CurlTransport(configuration: configuration))
            let found = try await client.get("hello", as: String.self)
            #expect(found == "hello")
        }
    }

    // withThrowingTaskGroup of many requests
    @Test func manyAtOnce() async throws {
        try await NeighborSite.run { _, client in
            let names = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await client.get("users/7", as: User.self).name } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(names == Array(repeating: "Ada", count: 20))
        }
    }

    // try await httpClient.shutdown()
    @Test func shutdown() async throws {
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL)
            try await client.send(Request<Void>("hello"))
            await client.shutdown()
            let error = await #expect(throws: APIError<Never>.self) { try await client.send(Request<Void>("hello")) }
            #expect(error?.netError?.code == .shutdown)
        }
    }
}
#endif
