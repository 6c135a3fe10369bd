#if Server
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport

/// The service called by the neighbors' programs, on a real socket.
enum NeighborSite {
    struct User: Codable, Sendable, Equatable {
        var id: Int
        var name: String
    }

    static let film = Bytes((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })

    private static var stubs: [Stub] {
        let user = StubResponse.json(User(id: 7, name: "Ada")).header("X-Total", "42")
        return [
            Stub(.get, "/users/7", user), Stub(.head, "/users/7", user), Stub(.delete, "/users/7", .status(.noContent)),
            Stub(.get, "/users", .json([User(id: 7, name: "Ada")])),
            Stub(.post, "/users") { request in
                .json(try request.decode(User.self, coding: .standard), status: .created)
            },
            Stub(
                .get, "/missing",
                StubResponse(
                    status: .notFound, headers: [.contentType: "application/problem+json"],
                    body: .text(#"{"title":"No such user","status":404}"#))),
            Stub(.get, "/hello", .text("hello")), Stub(.get, "/film", .bytes(film)),
            Stub(.get, "/lines", .text("one\ntwo\n")),
            .serverSentEvents("/events", [StubEvent("1"), StubEvent("2")]),
            Stub(.get, "/old", .status(.found).header(.location, "/users/7")),
            Stub(.get, "/busy", .status(.serviceUnavailable)).times(1), Stub(.get, "/busy", .text("at last")),
            Stub(.get, "/slow", StubResponse.text("late").delayed(by: .seconds(30))),
            Stub(.get, "/cookie", StubResponse.text("set").header(.setCookie, "id=7; Path=/")),
            Stub(.get, "/private") { request in
                request.headers[.authorization] == "Basic YWRhOnNlY3JldA=="
                    || request.headers[.authorization] == "Bearer t1"
                    ? .text("welcome") : .status(.unauthorized)
            },
            .echo(),
        ]
    }

    /// Runs `body` with a server and a client for it, and ends both.
    static func run(_ body: (TestServer, HTTPClient) async throws -> Void) async throws {
        let server = try await TestServer.start(stubs)
        let client = HTTPClient(baseURL: server.baseURL)
        do {
            try await body(server, client)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}

extension EchoedRequest {
    /// The body as text.
    var text: String { Data(base64Encoded: bodyBase64).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// The value of a header.
    func value(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
}
#endif
