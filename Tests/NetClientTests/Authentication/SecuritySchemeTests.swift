#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct SecuritySchemeTests {
    typealias Scheme = SecurityRequirements.Scheme

    private func me(_ alternatives: [[Scheme]]?) -> Request<String> {
        var request = Request<String>("me", serializer: .string)
        request.options.metadata.security = alternatives.map { SecurityRequirements(alternatives: $0) }
        return request
    }

    private struct Nothing: CredentialProvider {
        func credential(for request: PreparedRequest) async throws -> Credential? { nil }
    }

    private let open = Stub(nil, "/me", .text("ok"))

    private func schemes() throws -> [String: any CredentialProvider] {
        [
            "bearer": RefreshingCredentials { _ in try .bearer("t0k3n") },
            "basic": try Credential.basic(user: "ann", password: "geheim"),
            "key": try Credential.apiKey("k3y").placed(.query("api_key")),
            "app": try Credential.apiKey("a99", header: "X-App"),
            "session": try Credential.apiKey("s3ss").placed(.cookie("sid")),
            "loggedOut": Nothing(),
        ]
    }

    /// Sends a request with the requirements, and returns the header, target and cookie that the server received.
    private func seen(_ alternatives: [[Scheme]]?) async throws -> [String?] {
        let seen = Locked<[String?]>([])
        try await Fixture.run([open]) { fixture in
            let auth = AuthMiddleware(schemes: try schemes())
            let client = fixture.client.with { $0.middleware = [auth] }
            _ = try await client.send(me(alternatives))
            let request = try #require(fixture.server.requests.first)
            seen.change {
                $0 = [
                    request.headers[.authorization], request.target, request.headers[.cookie],
                    request.headers["X-App"],
                ]
            }
        }
        return seen.value
    }

    @Test func eachSchemeStandsInItsPlace() async throws {
        #expect(try await seen([[.init("bearer")]]) == ["Bearer t0k3n", "/me", nil, nil])
        #expect(try await seen([[.init("basic")]]) == ["Basic YW5uOmdlaGVpbQ==", "/me", nil, nil])
        #expect(try await seen([[.init("key")]]) == [nil, "/me?api_key=k3y", nil, nil])
        #expect(try await seen([[.init("session")]]) == [nil, "/me", "sid=s3ss", nil])
        #expect(try await seen([[.init("app")]]) == [nil, "/me", nil, "a99"])
    }

    @Test func aSchemeOfADocumentSaysWhereItsKeyStands() throws {
        let key = try Credential.apiKey("k3y")
        func place(_ kind: SecurityScheme.Kind) -> CredentialPlacement {
            key.placed(for: SecurityScheme("key", kind)).placement
        }
        #expect(place(.apiKey(name: "k", in: .query)) == .query("k"))
        #expect(place(.apiKey(name: "k", in: .cookie)) == .cookie("k"))
        #expect(place(.apiKey(name: "k", in: .header)) == .header)
        #expect(place(.basic) == .header)
    }

    @Test func allSchemesOfAnAlternativeGoTogether() async throws {
        let all: [Scheme] = [.init("bearer", scopes: ["read"]), .init("key"), .init("session"), .init("app")]
        #expect(try await seen([all]) == ["Bearer t0k3n", "/me?api_key=k3y", "sid=s3ss", "a99"])
    }

    @Test func theFirstAlternativeThatCanBeMetIsTaken() async throws {
        #expect(try await seen([[.init("bearer"), .init("other")], [.init("app")]]) == [nil, "/me", nil, "a99"])
        #expect(try await seen([[.init("loggedOut")], [.init("app")]]) == [nil, "/me", nil, "a99"])
        #expect(try await seen([[.init("loggedOut")], []]) == [nil, "/me", nil, nil])
    }

    @Test func credentialsAreNotSentUnlessRequired() async throws {
        #expect(try await seen([[]]) == [nil, "/me", nil, nil])
        #expect(try await seen([[], [.init("bearer")]]) == [nil, "/me", nil, nil])
        #expect(try await seen([]) == [nil, "/me", nil, nil])
        #expect(try await seen(nil) == [nil, "/me", nil, nil])
    }

    @Test func requestsWithoutRequirementsUseTheClientDefault() async throws {
        try await Fixture.run([open]) { fixture in
            let auth = AuthMiddleware(
                schemes: try schemes(), otherwise: SecurityRequirements(alternatives: [[.init("app")]]))
            let client = fixture.client.with { $0.middleware = [auth] }
            try await client.send(me(nil))
            try await client.send(me([[]]))
            #expect(fixture.server.requests.map { $0.headers["X-App"] } == ["a99", nil])
        }
    }

    @Test func noAlternativeIsAnErrorBeforeAnythingIsSent() async throws {
        try await Fixture.run([open]) { fixture in
            let auth = AuthMiddleware(schemes: try schemes())
            let client = fixture.client.with { $0.middleware = [RetryMiddleware(), auth] }
            let error = try await failure {
                try await client.send(me([[.init("bearer"), .init("other")], [.init("loggedOut", scopes: ["a"])]]))
            }
            #expect(error.isAuthentication, "\(error)")
            #expect(error.attempt == 1, "\(error)")
            let unmet = try #require(error.underlying as? UnmetSecurityRequirements)
            #expect(unmet.missing == ["loggedOut", "other"])
            #expect(
                error.message.contains(
                    "the request needs bearer and other, or loggedOut (a), and there is no credential for loggedOut, other"
                ),
                "\(error)")
            #expect(fixture.server.requests.isEmpty)
        }
    }

    @Test func aRefusalRenewsWhatCanBeRenewed() async throws {
        let guarded = Stub(nil, "/me") { request in
            request.headers[.authorization] == "Bearer new" && request.target.contains("k3y")
                ? .text("ok") : .status(.unauthorized)
        }
        try await Fixture.run([guarded]) { fixture in
            let tokens = RefreshingCredentials(initial: try .bearer("old")) { _ in try .bearer("new") }
            let key = try Credential.apiKey("k3y").placed(.query("api_key"))
            let auth = AuthMiddleware(schemes: ["bearer": tokens, "key": key])
            let client = fixture.client.with { $0.middleware = [auth] }
            let text = try await client.send(me([[.init("key"), .init("bearer")]]))
            #expect(text == "ok")
            #expect(fixture.server.requests.count == 2)
        }
    }

    @Test func aRenewalSeesTheRefusedRequest() async throws {
        final class Scoped: CredentialProvider {
            let refused = Locked<[String]>([])
            func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer("old") }
            func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
                refused.change {
                    $0.append(
                        "\(request.head.path ?? "") \(rejected?.value ?? "") "
                            + (request.options.metadata.security?.description ?? ""))
                }
                return nil
            }
        }
        let provider = Scoped()
        try await Fixture.run([Stub(nil, "/me", .status(.unauthorized))]) { fixture in
            let client = fixture.client.with { $0.middleware = [AuthMiddleware(schemes: ["oauth": provider])] }
            _ = try await client.raw(me([[.init("oauth", scopes: ["write"])]]))
        }
        #expect(provider.refused.value == ["/me Bearer old oauth (write)"])
    }

    @Test func neitherAnotherOriginNorARedirectGetsThem() async throws {
        let asked = me([[.init("bearer"), .init("key"), .init("session"), .init("app")]])
        try await Fixture.run([open]) { other in
            let away = Stub(nil, "/me", .status(.found).header(.location, "\(other.server.baseURL)/me"))
            try await Fixture.run([away]) { fixture in
                let auth = AuthMiddleware(schemes: try schemes())
                let client = fixture.client.with { $0.middleware = [auth] }
                try await client.send(asked)
                var absolute = asked
                absolute.options.absoluteURL = "\(other.server.baseURL)/me"
                try await client.send(absolute)
                let first = try #require(fixture.server.requests.first)
                #expect(first.headers[.authorization] == "Bearer t0k3n")
                #expect(first.target == "/me?api_key=k3y")
                #expect(other.server.requests.count == 2)
                for request in other.server.requests {
                    #expect(request.headers[.authorization] == nil)
                    #expect(request.headers["X-App"] == nil)
                    #expect(request.target == "/me")
                    #expect(request.headers[.cookie] == nil)
                }
            }
        }
    }

    @Test func aTokenOfASchemeThatEndsDuringAWaitIsNotSentAgain() async throws {
        let clock = TestClock()
        let count = Locked(0)
        let tokens = RefreshingCredentials(configuration: .init(renewsAhead: .zero, clock: clock.netClock)) { _ in
            count.change { $0 += 1 }
            return try .bearer("\(count.value)", expires: clock.date.addingTimeInterval(30))
        }
        let transport = MockTransport([
            Stub(.get, "/me", .status(.serviceUnavailable).header(.retryAfter, "45")).times(1),
            Stub(.get, "/me", .text("ok")),
        ])
        let key = try Credential.apiKey("k3y").placed(.query("api_key"))
        let auth = AuthMiddleware(schemes: ["bearer": tokens, "key": key])
        let client = virtual(clock, transport, auth, RetryMiddleware())
        let asked = me([[.init("key"), .init("bearer")]])
        let text = Task { try await client.send(asked) }
        while transport.recordedRequests.isEmpty, !Task.isCancelled { await Task.yield() }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(45))
        #expect(try await text.value == "ok")
        let sent = transport.recordedRequests
        #expect(sent.map { $0.headers[.authorization] } == ["Bearer 1", "Bearer 2"])
        #expect(sent.allSatisfy { $0.target == "/me?api_key=k3y" })
    }

    @Test func aCacheOutsideKeepsTheHoldersOfCookiesApart() async throws {
        let count = Locked(0)
        let stub = Stub(.get, "/me") { request in
            count.change { $0 += 1 }
            var response = StubResponse.text("data of \(request.headers[.cookie] ?? "nobody")")
            response.headers[.cacheControl] = "max-age=60"
            return response
        }
        try await Fixture.run([stub]) { fixture in
            let store = MemoryCacheStore()
            func client(_ key: String) throws -> HTTPClient {
                let auth = AuthMiddleware(schemes: ["session": try Credential.apiKey(key).placed(.cookie("sid"))])
                return fixture.client.with { $0.middleware = [CacheMiddleware(store), auth] }
            }
            let (ann, bob) = (try client("ann"), try client("bob"))
            let asked = me([[.init("session")]])
            for _ in 0..<2 {
                let (first, second) = (try await ann.send(asked), try await bob.send(asked))
                #expect(first == "data of sid=ann")
                #expect(second == "data of sid=bob")
            }
            #expect(count.value == 2)
        }
    }

    @Test func aCookieStandsBesideOthers() async throws {
        try await Fixture.run([open]) { fixture in
            let session = try Credential.apiKey("s3ss").placed(.cookie("sid"))
            let client = fixture.client.with { $0.middleware = [AuthMiddleware(session)] }
            var request = me(nil)
            request.headers[.cookie] = "a=1; sid=old; b=2"
            try await client.send(request)
            #expect(fixture.server.requests.first?.headers[.cookie] == "a=1; b=2; sid=s3ss")
            let broken = client.with {
                $0.middleware = [AuthMiddleware((try? Credential.apiKey("a;b").placed(.cookie("sid"))) ?? session)]
            }
            let error = try await failure { try await broken.send(request) }
            #expect(error.code == .invalidRequest)
            #expect(!"\(error)".contains("a;b"))
        }
    }
}
#endif
