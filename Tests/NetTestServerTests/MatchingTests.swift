#if Server
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

@testable import NetTestServer

/// The conditions and responses of stubs, over a real connection.
@Suite(.timeLimit(.minutes(1)))
struct MatchingTests {
    private func withServer(
        _ stubs: [Stub], _ configuration: TestServer.Configuration = TestServer.Configuration(),
        _ body: (HTTPClient, TestServer) async throws -> Void
    ) async throws {
        let server = try await TestServer.start(stubs, configuration: configuration)
        let client = HTTPClient(baseURL: server.baseURL)
        do {
            try await body(client, server)
        } catch {
            Issue.record(error)
        }
        await client.shutdown()
        await server.stop()
    }

    private func status(_ client: HTTPClient, _ request: Request<JSONValue>) async -> Int? {
        do {
            try await client.send(request)
            return 200
        } catch {
            return error.netError?.status
        }
    }

    @Test func bodiesAreMatched() async throws {
        let stubs = [
            Stub(.post, "/json", .json(text: "{}")).body(.json(subset: ["user": ["id": 7]])),
            Stub(.post, "/path", .json(text: "{}")).body(.json(at: "$.users[*].id", equals: 7)),
            Stub(.post, "/parts", .json(text: "{}"))
                .body(.multipart([PartMatcher("caption", body: .text("A cat")), PartMatcher("n", body: .text("7"))])),
        ]
        try await withServer(stubs) { client, _ in
            let user: JSONValue = ["id": 7, "name": "Ada"]
            let other: JSONValue = ["id": 8]
            var form = MultipartForm()
            form.append(.text("n", "7"))
            form.append(.text("caption", "A cat"))
            var wrong = MultipartForm()
            wrong.append(.text("n", "7"))
            #expect(await status(client, Request("json", method: .post, body: .json(["user": user]))) == 200)
            #expect(await status(client, Request("json", method: .post, body: .json(["user": other]))) == 404)
            #expect(await status(client, Request("path", method: .post, body: .json(["users": [other, user]]))) == 200)
            #expect(await status(client, Request("path", method: .post, body: .json(["users": [other]]))) == 404)
            #expect(await status(client, Request("parts", method: .post, body: .multipart(form))) == 200)
            #expect(await status(client, Request("parts", method: .post, body: .multipart(wrong))) == 404)
        }
    }

    @Test func aMissIsExplainedWithoutSecrets() async throws {
        let form = BodyMatcher.form(["user": "ada", "password": "hunter1"])
        try await withServer([Stub(.post, "/login", .json(1)).body(form)]) { client, _ in
            let right = RequestBody.form([QueryItem("password", "hunter1"), QueryItem("user", "ada")])
            #expect(await status(client, Request("login", method: .post, body: right)) == 200)
            let wrong = RequestBody.form([QueryItem("user", "bob"), QueryItem("password", "hunter2")])
            let text = try await client.send(
                Request<String>(
                    "login", method: .post, query: [QueryItem("token", "hunter3")], body: wrong,
                    options: RequestOptions(validation: .any), serializer: .string))
            #expect(!text.contains("hunter"))
            #expect(text.contains(#"form field user is "bob", it should be "ada""#))
            #expect(text.contains("form field password is <redacted>, it should be <redacted>"))
            #expect(text.contains(#"to add one: Stub(.post, "/login", .status(.ok)).query("token", .present)"#))
        }
    }

    @Test func aScenarioAndATemplateAnswer() async throws {
        let stubs =
            Stub.inOrder("story", [Stub(.get, "/n", .json(1)), Stub(.get, "/n", .json(2))]) + [
                Stub.template(.post, "/users/{id}", #"{"id": "{{path.id}}", "name": "{{body.$.name}}"}"#)
            ]
        try await withServer(stubs) { client, server in
            let first = try await client.send(Request<JSONValue>("n"))
            let second = try await client.send(Request<JSONValue>("n"))
            #expect(first == 1)
            #expect(second == 2)
            #expect(await status(client, Request("n")) == 404)
            #expect(server.state(of: "story") == "step 3")
            let user = try await client.send(
                Request<JSONValue>("users/7", method: .post, body: .json(["name": "A\"da"])))
            #expect(user == ["id": "7", "name": "A\"da"])
            try server.verify()
        }
    }

    @Test func theServerTellsWhatItReceivedAndWhichStubsAreUnused() async throws {
        try await withServer([Stub(.get, "/a", .json(1)), Stub(.get, "/b", .json(2))]) { client, server in
            let line = #line - 1
            _ = await status(client, Request("a", query: [QueryItem("x", "1")]))
            _ = await status(client, Request("c"))
            #expect(server.received(.get, "/a", times: 1))
            #expect(server.received(.get, "/c", times: 1))
            #expect(!server.received(.post, "/a"))
            #expect(server.journal.requests.count == 2)
            let unused = #expect(throws: UnusedStubs.self) { try server.verify() }
            let file = "NetTestServerTests/MatchingTests.swift"
            #expect(
                unused?.description
                    == "1 stub was not used as often as required:\n  GET /b (\(file):\(line)) never used")
            server.clearRequests()
            #expect(server.received(.get, "/a", times: 0))
        }
    }

    @Test func theJournalKeepsTheNewestAndCountsTheRest() async throws {
        var configuration = TestServer.Configuration()
        configuration.maximumLoggedRequests = 2
        let stubs = [Stub(.get, "/n/{n}", .json(1))]
        try await withServer(stubs, configuration) { client, server in
            for index in 0..<5 { _ = await status(client, Request("n/\(index)")) }
            #expect(server.journal.requests.map(\.target) == ["/n/3", "/n/4"])
            #expect(server.journal.forgotten == 3)
            server.clearRequests()
            _ = await status(client, Request("n/5"))
            #expect(server.journal.requests.map(\.target) == ["/n/5"])
            #expect(server.journal.forgotten == 0)
        }
    }
}
#endif
