#if Server
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

@testable import NetTestServer

/// The same stubs, used by this package's own client over loopback and in memory.
@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
    struct User: Codable, Sendable, Equatable {
        var id: String
    }

    static let stubs: [Stub] = [
        Stub(.get, "/users/{id}") { .json(User(id: $0.parameters["id"] ?? "")) },
        Stub(.get, "/broken", StubResponse.text("hello").dropping(.afterBodyBytes(3))),
        Stub(.get, "/gone", .dropped(form: .reset)), .echo(), .pattern(),
    ]

    /// Runs `body` with a client of a real server, then with one of a mock.
    private func withBothLevels(_ body: (HTTPClient, String) async throws -> Void) async throws {
        let server = try await TestServer.start(Self.stubs)
        let real = HTTPClient(baseURL: server.baseURL)
        try await body(real, "server")
        await real.shutdown()
        await server.stop()
        let mocked = HTTPClient(baseURL: "http://api.test", transport: MockTransport(Self.stubs))
        try await body(mocked, "mock")
        await mocked.shutdown()
    }

    @Test func oneSetOfStubsServesBothLevels() async throws {
        try await withBothLevels { client, level in
            let user = try await client.send(Request<User>("users/\("a/b")"))
            #expect(user == User(id: "a/b"), "\(level)")
            let echoed = try await client.send(
                Request<EchoedRequest>("echo", method: .post, query: [QueryItem("q", "a b&c")], body: .text("hi")))
            #expect(echoed.target == "/echo?q=a%20b%26c", "\(level)")
            #expect(echoed.bodyBase64 == "aGk=", "\(level)")
        }
    }

    @Test func manyCallsAtOnceAreAllAnswered() async throws {
        try await withBothLevels { client, level in
            let users = try await withThrowingTaskGroup(of: User.self) { group in
                for index in 0..<300 {
                    group.addTask { try await client.send(Request<User>("users/\(index)")) }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1.id) }
            }
            #expect(users.count == 300, "\(level)")
        }
    }

    @Test func bothLevelsLoseAConnectionAlike() async throws {
        try await withBothLevels { client, level in
            for path: Path in ["broken", "gone"] {
                do throws(APIError<Never>) {
                    try await client.send(Request<String>(path, serializer: .string))
                    Issue.record("\(level): \(path.encoded) succeeded")
                } catch .failed(let error) {
                    #expect(error.code == .connectionLost, "\(level): \(error)")
                }
            }
        }
    }
}
#endif
