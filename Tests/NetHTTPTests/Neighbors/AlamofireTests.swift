#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The most common tasks of Alamofire users, as they would first write them.
@Suite(.timeLimit(.minutes(1))) struct AlamofireTests {
    private typealias User = NeighborSite.User

    // AF.request("…/users/7").serializingDecodable(User.self).value
    @Test func decodable() async throws {
        try await NeighborSite.run { _, client in
            let found = try await client.get("users/7", as: User.self)
            #expect(found == User(id: 7, name: "Ada"))
        }
    }

    // AF.request(url).serializingString().value
    @Test func string() async throws {
        try await NeighborSite.run { server, _ in
            let url = try #require(URL(string: "\(server.baseURL)/hello"))
            #expect(try await HTTPClient.shared.send(Request<String>(url: url)) == "hello")
        }
    }

    // AF.request(url).serializingData().value
    @Test func data() async throws {
        try await NeighborSite.run { _, client in
            let found = try await client.send(Request<Data>("film"))
            #expect(found == NeighborSite.film.data)
        }
    }

    // AF.request(url, parameters: ["page": 2, "q": "a b"])
    @Test func parametersOfAQuery() async throws {
        try await NeighborSite.run { _, client in
            let echo = try await client.get("echo", query: ["page": 2, "q": "a b"], as: EchoedRequest.self)
            #expect(echo.target == "/echo?page=2&q=a%20b")
        }
    }

    // AF.request(url, method: .post, parameters: login) (URLEncodedFormParameterEncoder)
    @Test func parametersOfAForm() async throws {
        try await NeighborSite.run { _, client in
            let login = Request<EchoedRequest>("echo", method: .post, body: .form(["user": "ada", "password": "a&b"]))
            let found = try await client.send(login).text
            #expect(found == "user=ada&password=a%26b")
        }
    }

    // AF.request(url, method: .post, parameters: user, encoder: JSONParameterEncoder.default)
    @Test func parametersAsJSON() async throws {
        try await NeighborSite.run { _, client in
            let user = User(id: 8, name: "Grace")
            let found = try await client.send(Request<User>("users", method: .post, body: .json(user)))
            #expect(found == user)
        }
    }

    // AF.request(url, headers: ["X-Client": "phone", .authorization(bearerToken: token)])
    @Test func headers() async throws {
        try await NeighborSite.run { _, client in
            let request = Request<EchoedRequest>("echo", headers: ["X-Client": "phone", .authorization: "Bearer t1"])
            let echo = try await client.send(request)
            #expect(echo.value("X-Client") == "phone")
            #expect(echo.value("Authorization") == "Bearer t1")
        }
    }

    // .validate(); response.response?.statusCode, error.responseCode
    @Test func validation() async throws {
        try await NeighborSite.run { _, client in
            let error = await #expect(throws: APIError<Never>.self) { try await client.send(Request<Void>("missing")) }
            #expect(error?.status == 404)
            #expect(error?.isTimeout == false)
        }
    }

    // .validate(statusCode: 200..<500)
    @Test func validationOfOtherStatuses() async throws {
        try await NeighborSite.run { _, client in
            var request = Request<String>("missing")
            request.options.validation = .range(200..<500)
            let found = try await client.response(request).status
            #expect(found == 404)
        }
    }

    // response.value, response.response?.headers["X-Total"], response.metrics
    @Test func response() async throws {
        try await NeighborSite.run { _, client in
            let response = try await client.response(Request<User>("users/7"))
            #expect(response.value.name == "Ada")
            #expect(response.status == .ok)
            #expect(response["X-Total"] == "42")
            #expect(response.metrics != nil)
            #expect(response.headers[.contentType] == "application/json")
        }
    }

    // AF.upload(multipartFormData: { $0.append(data, withName: "photo", fileName: "a.png") }, to: url)
    @Test func multipart() async throws {
        try await NeighborSite.run { _, client in
            let parts: [FormPart] = [.text("caption", "a cat"), .data("photo", Data([1, 2]), filename: "a.png")]
            let echo = try await client.send(Request<EchoedRequest>("echo", method: .post, body: .multipart(parts)))
            #expect(echo.value("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
        }
    }

    // AF.upload(fileURL, to: url).uploadProgress { … }
    @Test func uploadWithProgress() async throws {
        try await NeighborSite.run { _, client in
            try await TemporaryFolder.with { folder in
                let file = URL(fileURLWithPath: folder.path("up.txt"))
                try Data("content".utf8).write(to: file)
                let sent = Locked(Int64(0))
                let upload = Request<EchoedRequest>("echo", method: .put, body: .file(file))
                let echo = try await client.send(upload) { progress in
                    if progress.kind == .upload { sent.change { $0 = progress.completed } }
                }
                #expect(echo.text == "content")
                #expect(sent.value == 7)
            }
        }
    }

    // AF.download(url, to: destination)
    @Test func download() async throws {
        try await NeighborSite.run { _, client in
            try await TemporaryFolder.with { folder in
                let file = URL(fileURLWithPath: folder.path("film"))
                try await client.download("film", to: file)
                #expect(try Data(contentsOf: file) == NeighborSite.film.data)
            }
        }
    }

    // AF.streamRequest(url).responseStream { … }
    @Test func stream() async throws {
        try await NeighborSite.run { _, client in
            var count = 0
            for try await chunk in try await client.stream("film").body { count += chunk.count }
            #expect(count == NeighborSite.film.count)
        }
    }

    // Session(interceptor: RetryPolicy(retryLimit: 3))
    @Test func retry() async throws {
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) { $0.middleware = [RetryMiddleware(maximumAttempts: 3)] }
            let response = try await client.response(Request<String>("busy"))
            #expect(response.value == "at last")
            #expect(response.attempts == 2)
        }
    }

    // RequestAdapter
    @Test func adapter() async throws {
        struct Adapter: Middleware {
            func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws
                -> StreamedResponse
            {
                var request = request
                request.head.headerFields["X-Client"] = "phone"
                return try await next(request, context)
            }
        }
        try await NeighborSite.run { server, _ in
            let client = HTTPClient(baseURL: server.baseURL) { $0.middleware = [Adapter()] }
            let found = try await client.get("echo", as: EchoedRequest.self).value("X-Client")
            #expect(found == "phone")
        }
    }

    // AF.request(url).authenticate(username: "ada", password: "secret")
    @Test func authentication() async throws {
        try await NeighborSite.run { server, _ in
            let client = try HTTPClient(baseURL: server.baseURL) {
                $0.middleware = [AuthMiddleware(try .basic(user: "ada", password: "secret"))]
            }
            #expect(try await client.get("private", as: String.self) == "welcome")
        }
    }

    // AF.request(url) { $0.timeoutInterval = 5 }
    @Test func timeout() async throws {
        try await NeighborSite.run { _, client in
            let request = Request<String>("slow", options: RequestOptions(timeouts: .total(.milliseconds(50))))
            let error = await #expect(throws: APIError<Never>.self) { try await client.send(request) }
            #expect(error?.isTimeout == true)
        }
    }

    // request.cancel()
    @Test func cancellation() async throws {
        try await NeighborSite.run { _, client in
            let task = Task { try await client.get("slow", as: String.self) }
            task.cancel()
            let error = await #expect(throws: APIError<Never>.self) { try await task.value }
            #expect(error?.isCancellation == true)
        }
    }

    // AF.request(url).redirect(using: .doNotFollow); request.cURLDescription()
    @Test func redirectsAndCURL() async throws {
        try await NeighborSite.run { server, client in
            let request = Request<String>(
                "old", options: RequestOptions(validation: .successOrRedirect, redirects: .manual))
            let found = try await client.response(request).location
            #expect(found == "\(server.baseURL)/users/7")
            #expect(try client.prepare(request).curl(.compact).contains("\(server.baseURL)/old"))
        }
    }
}
#endif
