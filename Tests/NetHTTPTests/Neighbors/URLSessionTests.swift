#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The most common tasks of URLSession users, as they would first write them.
@Suite(.timeLimit(.minutes(1))) struct URLSessionTests {
    private typealias User = NeighborSite.User

    // URLSession.shared.data(from: url)
    @Test func dataFromAURL() async throws {
        try await NeighborSite.run { server, _ in
            let url = try #require(URL(string: "\(server.baseURL)/hello"))
            let response = try await HTTPClient.shared.response(Request<Data>(url: url))
            #expect(response.value == Data("hello".utf8))
            #expect(response.status == 200)
        }
    }

    // JSONDecoder().decode(User.self, from: data)
    @Test func decode() async throws {
        try await NeighborSite.run { server, _ in
            let url = try #require(URL(string: "\(server.baseURL)/users/7"))
            #expect(try await HTTPClient.shared.send(Request<User>(url: url)).name == "Ada")
        }
    }

    // (response as? HTTPURLResponse)?.statusCode
    @Test func statusCode() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.raw(Request<Data>("missing"))
            #expect(response.status.code == 404)
        }
    }

    // response.value(forHTTPHeaderField: "X-Total")
    @Test func headerOfAResponse() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.response(Request<User>("users/7"))
            #expect(response["X-Total"] == "42")
            #expect(response.headers["x-total"] == "42")
        }
    }

    // request.httpMethod = "POST"; request.httpBody = data
    @Test func bodyOfARequest() async throws {
        try await NeighborSite.run { _, client in
            var request = Request<EchoedRequest>("echo")
            request.method = .post
            request.body = .bytes(Data("content".utf8))
            let found = try await client.send(request).text
            #expect(found == "content")
        }
    }

    // request.setValue("phone", forHTTPHeaderField: "X-Client")
    @Test func headerOfARequest() async throws {
        try await NeighborSite.run { _, client in
            var request = Request<EchoedRequest>("echo")
            request.headers["X-Client"] = "phone"
            let found = try await client.send(request).value("X-Client")
            #expect(found == "phone")
        }
    }

    // URLComponents.queryItems = [URLQueryItem(name: "q", value: "a b")]
    @Test func queryItems() async throws {
        enum Sort: String { case byName = "name" }
        try await NeighborSite.run { _, client in
            let id = UUID()
            let query: QueryItems = [QueryItem("q", "a b"), QueryItem("sort", Sort.byName), QueryItem("id", id)]
            let echo = try await client.send(Request<EchoedRequest>("echo", query: query))
            #expect(echo.target == "/echo?q=a%20b&sort=name&id=\(id)")
        }
    }

    // request.timeoutInterval = 5
    @Test func timeoutInterval() async throws {
        try await NeighborSite.run { _, client in
            let request = Request<String>("slow").with { $0.timeouts = .total(.milliseconds(50)) }
            let error = await #expect(throws: APIError<Never>.self) { try await client.send(request) }
            #expect(error?.isTimeout == true)
        }
    }

    // request.cachePolicy = .reloadIgnoringLocalCacheData
    @Test func cachePolicy() async throws {
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) {
                $0.middleware = [CacheMiddleware(configuration: .init(defaultLifetime: .seconds(60)))]
            }
            try await client.send(Request<Void>("hello"))
            let options = RequestOptions(timeouts: .total(.seconds(10)), cachePolicy: .reload)
            try await client.send(Request<String>("hello", options: options))
            try await client.send(Request<String>("hello"))
            #expect(server.journal.requests(.get, "/hello").count == 2)
        }
    }

    // for try await line in url.lines
    @Test func lines() async throws {
        try await NeighborSite.run { _, client in
            var lines: [String] = []
            for try await line in try await client.stream("lines").body.lines() { lines.append(line) }
            #expect(lines == ["one", "two"])
        }
    }

    // let (bytes, response) = try await session.bytes(for: request)
    @Test func bytes() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.stream("film")
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            #expect(count == 300_000)
        }
    }

    // session.download(from: url), FileManager.moveItem
    @Test func download() async throws {
        try await NeighborSite.run { _, client in
            try await TemporaryFolder.with { folder in
                let film = URL(fileURLWithPath: folder.path("film"))
                try await client.download("film", to: film)
                #expect(try Data(contentsOf: film).count == 300_000)
            }
        }
    }

    // session.upload(for: request, fromFile: file)
    @Test func upload() async throws {
        try await NeighborSite.run { _, client in
            try await TemporaryFolder.with { folder in
                let file = URL(fileURLWithPath: folder.path("up"))
                try folder.write("content", to: "up")
                let upload = Request<EchoedRequest>("echo", method: .post, body: .file(file, contentType: "text/plain"))
                let echo = try await client.send(upload)
                #expect(echo.text == "content")
                #expect(echo.value("Content-Length") == "7")
            }
        }
    }

    // catch let error as URLError where error.code == .cannotConnectToHost
    @Test func connectivity() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let error = await #expect(throws: APIError<Never>.self) {
            try await HTTPClient.shared.send(Request<String>(url: url))
        }
        #expect(error?.isConnectivity == true)
    }

    // task.cancel(); URLError.cancelled
    @Test func cancel() async throws {
        try await NeighborSite.run { _, client in
            let task = Task { try await client.send(Request<String>("slow")) }
            task.cancel()
            let result = await task.result
            #expect(throws: APIError<Never>.self) { try result.get() }
            if case .failure(let error) = result { #expect(NetError(error)?.isCancellation == true) }
        }
    }

    // HTTPCookieStorage
    @Test func cookies() async throws {
        try await NeighborSite.run { server, _ in
            let store = CookieStore()
            let client = HTTPClient(baseURL: server.baseURL) { $0.middleware = [CookieMiddleware(store)] }
            try await client.send(Request<Void>("cookie"))
            #expect(store.cookies.map(\.name) == ["id"])
            #expect(try await client.get("echo", as: EchoedRequest.self).value("Cookie") == "id=7")
        }
    }

    // URLCredential, didReceive challenge
    @Test func credentials() async throws {
        try await NeighborSite.run { server, _ in
            let client = try HTTPClient(baseURL: server.baseURL) {
                $0.middleware = [AuthMiddleware(try .bearer("t1"))]
            }
            #expect(try await client.get("private", as: String.self) == "welcome")
        }
    }

    // willPerformHTTPRedirection: completionHandler(nil)
    @Test func redirects() async throws {
        try await NeighborSite.run { _, client in
            let options = RequestOptions(validation: .any, redirects: .manual)
            let found = try await client.response(Request<Void>("old", options: options)).status
            #expect(found == .found)
        }
    }

    // URLSessionTaskMetrics
    @Test func metrics() async throws {
        try await NeighborSite.run { _, client in
            let metrics = try #require(try await client.response(Request<User>("users/7")).metrics)
            #expect(metrics.responseBytes > 0)
            #expect(metrics.total > .zero)
            #expect(metrics.version == "1.1")
        }
    }

    // session.configuration.httpAdditionalHeaders
    @Test func headersOfTheSession() async throws {
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) {
                $0.headers = ["X-Client": "phone", .userAgent: "robot"]
            }
            let echo = try await client.get("echo", as: EchoedRequest.self)
            #expect(echo.value("X-Client") == "phone")
            #expect(echo.value("User-Agent") == "robot")
        }
    }
}
#endif
