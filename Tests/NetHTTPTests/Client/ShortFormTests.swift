#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// The short forms for the most common tasks, as written without knowledge of the long ones.
@Suite(.timeLimit(.minutes(1))) struct ShortFormTests {
    private struct User: Codable, Sendable, Equatable {
        let name: String
    }

    private static let stubs = [
        Stub(.get, "/users/7", .json(User(name: "Ann")).header(.cacheControl, "no-store")),
        Stub(
            .get, "/latin",
            .bytes([0x47, 0x72, 0xfc, 0xdf, 0x65], contentType: "text/plain; charset=iso-8859-1")),
        Stub(.delete, "/users/7", .status(.noContent)), .pattern("/film.mp4", bytes: 100_000),
        Stub(.get, "/nobody", .text("no such user", status: .notFound)),
        Stub(
            .get, "/broke",
            StubResponse(
                status: .forbidden, headers: [.contentType: "application/problem+json"],
                body: .text(#"{"title":"You do not have\n enough credit.","detail":"It costs 50.","token":"geheim"}"#))),
    ]

    @Test func aClientIsSetUpByAClosure() async throws {
        let log = EventLog()
        try await Fixture.run(Self.stubs) { fixture in
            let client = HTTPClient(baseURL: fixture.server.baseURL, transport: fixture.transport) {
                $0.listeners = [log]
                $0.timeouts = .total(.seconds(20))
            }
            let user = try await client.get("users/7", as: User.self)
            #expect(user == User(name: "Ann"))
            #expect(client.configuration.timeouts.total == .seconds(20))
            #expect(log.names.last == "completed")
        }
    }

    @Test func aResponseSaysStatusAndHeaders() async throws {
        try await Fixture.run(Self.stubs) { fixture in
            let response = try await fixture.client.response(Request<User>("users/7"))
            #expect(response.status == .ok)
            #expect(response[.cacheControl] == "no-store")
            #expect(response.headers[.contentType] == response[.contentType])
            // The result may be ignored.
            try await fixture.client.send(Request<Void>("users/7", method: .delete))
        }
    }

    @Test func aStreamedResponseIsReadInOneGo() async throws {
        try await Fixture.run(Self.stubs) { fixture in
            let client = fixture.client
            let film = try await client.stream("film.mp4")
            #expect(film.status == 200)
            #expect(film[.contentLength] == "100000")
            #expect(try await film.bytes().count == 100_000)
            #expect(try await client.stream("latin").text() == "Grüße")
            #expect(try await client.stream("users/7").decode(User.self) == User(name: "Ann"))
            let user: User = try await client.stream("users/7").decode()
            #expect(user.name == "Ann")
            let wrong = try await failure { try await client.stream("users/7").decode([Int].self) }
            #expect(wrong.code == .decoding)
            #expect(wrong.url?.hasSuffix("/users/7") == true)
            let large = try await failure { try await client.stream("film.mp4").bytes(upTo: 10) }
            #expect(large.code == .bodyTooLarge)
            #expect(client.unfinishedCalls == 0)
        }
    }

    @Test func anErrorAnswersWithoutASwitch() async throws {
        try await Fixture.run(Self.stubs) { fixture in
            do throws(APIError<Never>) {
                _ = try await fixture.client.get("nobody", as: User.self)
                Issue.record("it should have failed")
            } catch {
                #expect(error.status == 404)
                #expect(error.attempt == 1)
                #expect(error.rejection == nil)
                #expect(!error.isTimeout)
                #expect(!error.isCancellation)
                #expect(!error.isConnectivity)
            }
            let slow = fixture.client.with { $0.timeouts = .total(.zero) }
            do throws(APIError<Never>) {
                _ = try await slow.get("nobody", as: User.self)
                Issue.record("it should have failed")
            } catch {
                #expect(error.isTimeout)
                #expect(error.status == nil)
            }
        }
    }

    @Test func anErrorOfAnyTypeIsFoundToBeOne() async throws {
        struct Declared: APIRequest {
            struct Failure: Decodable, Sendable { let title: String }
            typealias Response = User
            let path: Path = "broke"
        }
        try await Fixture.run(Self.stubs) { fixture in
            var found: [NetError?] = []
            for call in [
                { try await fixture.client.send(Declared()) },
                { _ = try await fixture.client.get("nobody", as: User.self) },
                { throw CancellationError() },
            ] as [@Sendable () async throws -> Void] {
                do { try await call() } catch { found.append(NetError(error)) }
            }
            #expect(found.map { $0?.status } == [403, 404, nil])
            #expect(found.map { $0 == nil } == [false, false, true])
        }
    }

    @Test func anErrorPrintsWhatTheServerSaid() async throws {
        struct Declared: APIRequest {
            struct Failure: Decodable, Sendable { let title: String }
            typealias Response = User
            let path: Path = "broke"
            var options: RequestOptions { RequestOptions(metadata: RequestMetadata(operationID: "getBroke")) }
        }
        try await Fixture.run(Self.stubs) { fixture in
            let says = "You do not have enough credit.: It costs 50."
            do throws(APIError<Declared.Failure>) {
                try await fixture.client.send(Declared())
                Issue.record("it should have failed")
            } catch {
                let text = "\(error)"
                #expect(text.hasPrefix("rejected with status 403: \(says) (GET http"), "\(text)")
                #expect(text.contains(", getBroke, attempt 1, after "))
                #expect(!text.contains("geheim"))
                #expect(error.status == 403)
                #expect(error.rejection?.failure.title.hasPrefix("You") == true)
            }
            let undeclared = try await failure { try await fixture.client.get("broke", as: User.self) }
            #expect(undeclared.message.contains("it says: \(says)"))
            #expect(!"\(undeclared)".contains("geheim"))
        }
    }
}
#endif
