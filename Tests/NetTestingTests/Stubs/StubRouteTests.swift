import HTTPTypes
import NetCore
import NetTesting
import Testing

struct StubRouteTests {
    private let transport = MockTransport(
        Stub.routes([
            "/users": .text("any"), "GET /users": .text("get"), "GET /users/{id}": .text("one"),
            "/users?page=2&size=10": .text("page"), "GET /users?page=2&size=10": .text("get page"),
            "GET /users/me": .text("me"), "DELETE /users?": .text("no query"), "/files/{rest*}": .text("file"),
            "GET /files/{name}": .text("name"), "GET /users ": .text("a space"), "GET /users/me": .text("second"),
        ]))

    private func answer(_ method: HTTPRequest.Method, _ target: String) async throws -> String {
        let request = PreparedRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: "api.test", path: target), body: .none)
        let context = CallContext(
            for: request, delivery: .collected(upTo: 1000), timeouts: Timeouts(),
            environment: CallContext.Environment(clock: TestClock().netClock))
        let response = try await transport.execute(request, context: context)
        return String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/users", "get"), (.post, "/users", "any"), (.get, "/users?page=2", "get"),
        (.get, "/users?size=10&page=2", "get page"), (.put, "/users?size=10&page=2", "page"),
        (.get, "/users/7", "one"), (.get, "/users/me", "me"), (.delete, "/users", "no query"),
        (.delete, "/users?x=1", "any"), (.get, "/files/a", "name"), (.get, "/files/a/b", "file"),
        (.put, "/files/a", "file"), (.get, "/users%20", "a space"),
    ])
    func theRouteThatAsksForMostAnswers(_ method: HTTPRequest.Method, _ target: String, _ expected: String) async throws
    {
        #expect(try await answer(method, target) == expected)
    }

    @Test func aRequestThatNoRouteAnswersIsInvalid() async throws {
        let error = await #expect(throws: NetError.self) { try await answer(.post, "/users/7") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("GET /users/{id}") == true)
    }

    @Test(arguments: [
        ("GET /a?x=1", "GET /a?x=1"), ("/a", "/a"), ("get /a", "get /a"), ("/a b", "/a b"), ("", ""), ("?x", "?x"),
        ("GET ", "GET "),
    ])
    func aRouteIsReadAsItIsWritten(_ text: String, _ expected: String) {
        #expect(StubRoute(text).description == expected)
    }
}
