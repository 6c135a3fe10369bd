#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The most common tasks of Get users, as they would first write them.
@Suite(.timeLimit(.minutes(1))) struct GetTests {
    private typealias User = NeighborSite.User

    // try await client.send(Request<User>(path: "/users/7")).value
    @Test func send() async throws {
        try await NeighborSite.run { _, client in
            let user = try await client.send(Request<User>("/users/7"))
            #expect(user == User(id: 7, name: "Ada"))
        }
    }

    // APIClient(baseURL: URL(string: "https://…"))
    @Test func clientOfAURL() async throws {
        try await NeighborSite.run { server, _ in
            let url = try #require(URL(string: server.baseURL.description))
            let text = server.baseURL.description
            #expect(try await HTTPClient(baseURL: url).get("hello", as: String.self) == "hello")
            #expect(try await HTTPClient(baseURL: text).get("hello", as: String.self) == "hello")
        }
    }

    // Request(path: "/users", query: [("page", "2")])
    @Test func query() async throws {
        try await NeighborSite.run { _, client in
            let users = try await client.send(Request<[User]>("/users", query: ["page": "2"]))
            #expect(users.count == 1)
        }
    }

    // Request(path: "/users", method: .post, body: user)
    @Test func post() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.response(
                Request<User>("/users", method: .post, body: .json(User(id: 9, name: "Linus"))))
            #expect(response.status == .created)
            #expect(response.value.name == "Linus")
        }
    }

    // try await client.send(Request(path: "/users/7", method: .delete))
    @Test func noContent() async throws {
        try await NeighborSite.run { _, client in
            try await client.send(Request<Void>("/users/7", method: .delete))
            let response = try await client.response(Request<Void>("/users/7", method: .delete))
            #expect(response.status == .noContent)
        }
    }

    // Request<User?>: nil for an empty body
    @Test func optional() async throws {
        try await NeighborSite.run { _, client in
            let found = try await client.send(Request<User?>("/users/7", method: .delete))
            #expect(found == nil)
        }
    }

    // Request<String>, Request<Data>
    @Test func textAndData() async throws {
        try await NeighborSite.run { _, client in
            let found = try await client.send(Request<String>("/hello"))
            #expect(found == "hello")
            let found2 = try await client.send(Request<Data>("/hello"))
            #expect(found2 == Data("hello".utf8))
        }
    }

    // response.statusCode, response.data, response.task, response.metrics
    @Test func partsOfAResponse() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.response(Request<User>("/users/7"))
            #expect(response.status.code == 200)
            #expect(response["X-Total"] == "42")
            #expect(response.attempts == 1)
            #expect(try #require(response.metrics).responseBytes > 0)
        }
    }

    // client.data(for: request)
    @Test func data() async throws {
        try await NeighborSite.run { _, client in
            let found = try await client.raw(Request<User>("/users/7")).value.isEmpty
            #expect(found == false)
        }
    }

    // client.download(for: request)
    @Test func download() async throws {
        try await NeighborSite.run { _, client in
            try await TemporaryFolder.with { folder in
                let head = try await client.download("film", to: folder.path("film"))
                #expect(head.status == .ok)
                #expect(head[.contentLength] == "300000")
            }
        }
    }

    // client.upload(for: request, fromFile: url)
    @Test func upload() async throws {
        try await NeighborSite.run { _, client in
            try await TemporaryFolder.with { folder in
                try folder.write("content", to: "up")
                let request = Request<EchoedRequest>("/echo", method: .put, body: .file(folder.path("up")))
                #expect(try await client.send(request).text == "content")
            }
        }
    }

    // catch APIError.unacceptableStatusCode(let code)
    @Test func unacceptableStatus() async throws {
        try await NeighborSite.run { _, client in
            do throws(APIError<Never>) {
                try await client.send(Request<User>("/missing"))
                Issue.record("there is no such user")
            } catch {
                #expect(error.status == 404)
            }
        }
    }

    // APIClientDelegate validateResponse: the problem of a response
    @Test func typedFailure() async throws {
        struct Problem: Decodable, Sendable { let title: String }
        try await NeighborSite.run { _, client in
            do throws(APIError<Problem>) {
                try await client.send(Request<User>("/missing").rejected(as: Problem.self))
                Issue.record("there is no such user")
            } catch {
                switch error {
                case .rejected(let problem, let response):
                    #expect(problem.title == "No such user")
                    #expect(response.status == .notFound)
                case .failed(let error): Issue.record(error)
                }
            }
        }
    }

    // APIClientDelegate willSendRequest: add a header
    @Test func willSendRequest() async throws {
        struct Token: RequestModifier {
            func modify(_ request: inout PreparedRequest) { request.head.headerFields[.authorization] = "Bearer t1" }
        }
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) { $0.modifiers = [Token()] }
            let found = try await client.get("private", as: String.self)
            #expect(found == "welcome")
        }
    }

    // APIClientDelegate shouldRetry
    @Test func shouldRetry() async throws {
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) { $0.middleware = [RetryMiddleware()] }
            let found = try await client.get("busy", as: String.self)
            #expect(found == "at last")
        }
    }

    // configuration.decoder, configuration.encoder
    @Test func coders() async throws {
        struct Row: Codable, Sendable, Equatable { let lastName: String }
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) { $0.coding = .snakeCaseISO8601 }
            let request = Request<EchoedRequest>("/echo", method: .post, body: .json(Row(lastName: "L"))).with {
                $0.metadata.name = "echo"
            }
            let echo = try await HTTPClient(baseURL: server.baseURL).response(
                Request<EchoedRequest>("/echo", method: .post, body: client.prepare(request).text))
            #expect(echo.value.text == #"{"last_name":"L"}"#)
        }
    }

    // configuration.sessionConfiguration.timeoutIntervalForRequest = 5
    @Test func timeouts() async throws {
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) { $0.timeouts = .total(.milliseconds(50)) }
            let error = await #expect(throws: APIError<Never>.self) { try await client.get("slow", as: String.self) }
            #expect(error?.isTimeout == true)
        }
    }

    // enum Resources { static func user(_ id: Int) -> Request<User> }
    @Test func resources() async throws {
        enum Resources {
            static func user(_ id: Int) -> Request<User> { Request("/users/\(id)") }
        }
        try await NeighborSite.run { _, client in
            let found = try await client.send(Resources.user(7)).id
            #expect(found == 7)
        }
    }

    // client.makeURLRequest(for: request)
    @Test func prepared() async throws {
        try await NeighborSite.run { server, client in
            let prepared = try client.prepare(Request<User>("/users/7", query: ["full": true]))
            #expect(prepared.url == "\(server.baseURL)/users/7?full=true")
            #expect(prepared.head.method == .get)
        }
    }

    // several requests in a group, one catch for all
    @Test func oneCatchForAll() async throws {
        try await NeighborSite.run { _, client in
            do {
                async let user = client.send(Request<User>("/users/7"))
                async let nobody = client.send(Request<User>("/missing"))
                _ = try await (user, nobody)
                Issue.record("there is no such user")
            } catch {
                #expect(NetError(error)?.status == 404)
            }
        }
    }
}

extension PreparedRequest {
    /// The body as text.
    fileprivate var text: RequestBody {
        guard case .bytes(let bytes) = body else { return .none }
        return .bytes(bytes, contentType: "application/json")
    }
}
#endif
