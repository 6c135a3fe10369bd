#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

private struct User: Codable, Sendable, Equatable { let id: Int, name: String }
private struct Problem: Codable, Sendable, Equatable { let title: String }

private struct GetUser: APIRequest {
    typealias Response = User
    typealias Failure = Problem
    let id: Int
    var path: Path { "users/\(id)" }
    var options: RequestOptions { RequestOptions(metadata: .init(operationID: "getUser")) }
}

@Suite(.timeLimit(.minutes(2))) struct SendTests {
    @Test(arguments: Wire.allCases) func aJSONAnswerBecomesTheDeclaredType(wire: Wire) async throws {
        try await Fixture.run([Stub(.get, "/users/7", .json(User(id: 7, name: "Ada")))], over: wire) { fixture in
            let response = try await fixture.client.response(GetUser(id: 7))
            #expect(response.value == User(id: 7, name: "Ada"))
            #expect(response.status == .ok)
            #expect(response.head.version == wire.version)
            #expect(response.head[.contentType] == "application/json")
            let metrics = try #require(response.metrics)
            #expect(metrics.responseBytes == 21)
            #expect(metrics.remoteAddress == "127.0.0.1:\(fixture.server.port)")
            #expect((metrics.secured != nil) == (wire != .plain))
        }
    }

    @Test func aDeclaredFailureIsThrownTyped() async throws {
        try await Fixture.run([Stub(.get, "/users/7", .json(Problem(title: "gone"), status: .notFound))]) { fixture in
            do throws(APIError<Problem>) {
                try await fixture.client.send(GetUser(id: 7))
                Issue.record("the call should have been rejected")
            } catch {
                switch error {
                case .rejected(let problem, let head):
                    #expect(problem == Problem(title: "gone"))
                    #expect(head.status == .notFound)
                case .failed(let error):
                    throw error
                }
            }
        }
    }

    @Test func anAnswerThatIsNoDeclaredFailureKeepsStatusAndBody() async throws {
        try await Fixture.run([Stub(.get, "/users/7", .text("<html>oops</html>", status: .badGateway))]) { fixture in
            let error = try await failure(as: Problem.self) {
                try await fixture.client.send(GetUser(id: 7))
            }
            #expect(error.code == .unacceptableStatus)
            #expect(error.phase == .validating)
            #expect(error.status == 502)
            #expect(error.response?.body == Bytes("<html>oops</html>".utf8))
            #expect(error.call?.operation == "getUser")
            #expect(!error.description.contains("oops"))
        }
    }

    @Test func brokenJSONIsADecodingErrorThatSaysWhere() async throws {
        let stubs = [
            Stub(.get, "/users/1", .json(text: #"{"id": 1, "na"#)),
            Stub(.get, "/users/2", .json(text: #"{"id": "two", "name": "Ada"}"#)),
        ]
        try await Fixture.run(stubs) { fixture in
            let broken = try await failure(as: Problem.self) {
                try await fixture.client.send(GetUser(id: 1))
            }
            #expect(broken.code == .decoding)
            #expect(broken.phase == .decoding)
            #expect(broken.status == 200)
            let mistyped = try await failure(as: Problem.self) {
                try await fixture.client.send(GetUser(id: 2))
            }
            #expect(mistyped.message.contains("$.id is not of type Int"))
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aBodyLargerThanItsLimitIsRefused() async throws {
        try await Fixture.run([.pattern()]) { fixture in
            var request = Request<Bytes>("bytes", query: [QueryItem("bytes", 200_000)], serializer: .bytes)
            request.options.maximumResponseBytes = 100_000
            let error = try await failure { try await fixture.client.send(request) }
            #expect(error.code == .bodyTooLarge)
            #expect(error.message.contains("100000"))
            request.options.maximumResponseBytes = 200_000
            #expect(try await fixture.client.send(request).count == 200_000)
        }
    }

    @Test(arguments: [HTTPResponse.Status.ok, .notFound], ["", "body"])
    func aNegativeLimitIsZero(status: HTTPResponse.Status, body: String) async throws {
        try await Fixture.run([Stub(.get, "/x", .text(body, status: status))]) { fixture in
            var options = RequestOptions()
            options.maximumResponseBytes = -1
            let text = Request<String>("x", options: options, serializer: .string)
            if status == .ok, body.isEmpty {
                #expect(try await fixture.client.send(text) == "")
            } else {
                let error = try await failure { try await fixture.client.send(text) }
                #expect(error.code == (body.isEmpty ? .unacceptableStatus : .bodyTooLarge), "\(error)")
            }
            let dropped = Request<Void>("x", options: options).rejected(as: String.self)
            if status != .ok {
                await #expect(throws: APIError<String>.self) { try await fixture.client.send(dropped) }
            }
        }
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 131_072, 131_073, 3_000_000], [false, true])
    func bodiesOfEverySizeArriveWhole(count: Int, isChunked: Bool) async throws {
        try await Fixture.run([.pattern(isChunked: isChunked)]) { fixture in
            let request = Request<Bytes>("bytes", query: [QueryItem("bytes", count)], serializer: .bytes)
            let body = try await fixture.client.send(request)
            #expect(body.count == count)
            #expect(BytePattern.matches(body, at: 0))
        }
    }
}
#endif
