#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct AuthMiddlewareTests {
    private let me = Request<String>("me", serializer: .string)
    /// Accepts one token and rejects all others.
    private func protected(_ token: String = "new") -> [Stub] {
        [
            Stub(nil, "/me") { request in
                request.headers[.authorization] == "Bearer \(token)"
                    ? .text("hello") : .text("who are you?", status: .unauthorized)
            }
        ]
    }

    private static func client(_ middleware: any Middleware...) -> Fixture.Setup {
        .client { [middleware] in $0.middleware = middleware }
    }

    @Test func aCredentialGoesOutAndReplacesTheFieldThatIsThere() async throws {
        let auth = AuthMiddleware(try .bearer("new"))
        try await Fixture.run(protected(), with: Self.client(auth)) { fixture in
            var request = me
            request.headers[.authorization] = "Bearer old"
            let text1 = try await fixture.client.send(request)
            #expect(text1 == "hello")
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aProviderWithoutCredentialLeavesTheRequestAsItIs() async throws {
        struct Nothing: CredentialProvider {
            func credential(for request: PreparedRequest) async throws -> Credential? { nil }
        }
        try await Fixture.run([Stub(nil, "/me", .text("ok"))], with: Self.client(AuthMiddleware(Nothing()))) {
            fixture in
            try await fixture.client.send(me)
            #expect(fixture.server.requests.first?.headers[.authorization] == nil)
        }
    }

    @Test func aProviderWithOnlyTheEarlierFormOfRenewalRenews() async throws {
        struct Earlier: CredentialProvider {
            func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer("old") }
            func refreshed(from rejected: Credential?) async throws -> Credential? { try .bearer("new") }
        }
        try await Fixture.run(protected(), with: Self.client(AuthMiddleware(Earlier()))) { fixture in
            let text = try await fixture.client.send(me)
            #expect(text == "hello")
            let placed = fixture.client.with { $0.middleware = [AuthMiddleware(Earlier().placed(.header))] }
            let other = try await placed.send(me)
            #expect(other == "hello")
        }
    }

    @Test func basicAndKeysReachTheServer() async throws {
        for (credential, field, value) in [
            (
                try Credential.basic(user: "Aladdin", password: "open sesame"), "Authorization",
                "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
            ),
            (try Credential.apiKey("k"), "X-API-Key", "k"),
            (try Credential.apiKey("k", header: "X-Other"), "X-Other", "k"),
        ] {
            try await Fixture.run([Stub(nil, "/me", .text("ok"))], with: Self.client(AuthMiddleware(credential))) {
                fixture in
                try await fixture.client.send(me)
                #expect(fixture.server.requests.first?.headers[try #require(HTTPField.Name(field))] == value)
            }
        }
    }

    @Test(arguments: Wire.allCases) func aRefusedCredentialIsRenewedAndTheRequestSentOnceMore(wire: Wire) async throws {
        let tokens = RefreshingCredentials(initial: try .bearer("old")) { _ in try .bearer("new") }
        try await Fixture.run(protected(), over: wire, with: Self.client(AuthMiddleware(tokens))) { fixture in
            var post = me
            post.method = .post
            post.body = .text("order")
            let text2 = try await fixture.client.send(post)
            #expect(text2 == "hello")
            #expect(fixture.server.requests.map(\.body) == [Bytes("order".utf8), Bytes("order".utf8)])
            #expect(fixture.server.statistics.connections == 1)
            let streamed = try await fixture.client.stream(me)
            #expect(try await streamed.body.collect(upTo: 100) == Bytes("hello".utf8))
        }
    }

    @Test func aStreamIsRenewedBeforeItsHeadIsHandedOut() async throws {
        let tokens = RefreshingCredentials(initial: try .bearer("old")) { _ in try .bearer("new") }
        try await Fixture.run(protected(), with: Self.client(AuthMiddleware(tokens))) { fixture in
            let streamed = try await fixture.client.stream(me)
            #expect(streamed.status == .ok)
            #expect(try await streamed.body.collect(upTo: 100) == Bytes("hello".utf8))
            #expect(fixture.server.requests.count == 2)
        }
    }

    @Test func aBodyThatCannotBeSentAgainKeepsItsAnswer() async throws {
        let tokens = RefreshingCredentials(initial: try .bearer("old")) { _ in try .bearer("new") }
        try await Fixture.run(protected(), with: Self.client(AuthMiddleware(tokens))) { fixture in
            var post = me
            post.method = .post
            post.body = .stream(
                AsyncStream<Bytes> {
                    $0.yield(Bytes("once".utf8))
                    $0.finish()
                })
            let error = try await failure { try await fixture.client.send(post) }
            #expect(error.status == 401)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aSecondRefusalIsTheAnswer() async throws {
        let refreshes = Locked(0)
        let tokens = RefreshingCredentials(initial: try .bearer("old")) { _ in
            refreshes.change { $0 += 1 }
            return try .bearer("wrong too \(refreshes.value)")
        }
        try await Fixture.run(protected(), with: Self.client(AuthMiddleware(tokens))) { fixture in
            let error = try await failure { try await fixture.client.send(me) }
            #expect(error.status == 401)
            #expect(fixture.server.requests.count == 2)
            #expect(refreshes.value == 1)
        }
    }

    @Test func noNewerCredentialLetsTheAnswerPass() async throws {
        let tokens = RefreshingCredentials(initial: try .bearer("old")) { _ in nil }
        try await Fixture.run(protected(), with: Self.client(AuthMiddleware(tokens))) { fixture in
            let error = try await failure { try await fixture.client.send(me) }
            #expect(error.status == 401)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aRenewalCostsNoRetry() async throws {
        let log = EventLog()
        let tokens = RefreshingCredentials(initial: try .bearer("old")) { _ in try .bearer("new") }
        let stubs = [
            Stub(nil, "/me", .status(.serviceUnavailable)).header(.authorization, .exact("Bearer new")).times(1)
        ]
        let setup = Fixture.Setup.client {
            $0.middleware = [
                AuthMiddleware(tokens),
                RetryMiddleware(RetryPolicy(maximumAttempts: 2, backoff: .constant(.milliseconds(1)))),
            ]
            $0.listeners = [log]
        }
        try await Fixture.run(stubs + protected(), with: setup) { fixture in
            let text3 = try await fixture.client.send(me)
            #expect(text3 == "hello")
            #expect(fixture.server.requests.count == 3)
            let attempts = log.all.compactMap { event in
                if case .attemptEnded(let attempt) = event.kind { attempt.number } else { nil }
            }
            #expect(attempts == [1, 2, 3])
        }
    }

    @Test func noOtherOriginGetsTheCredential() async throws {
        let auth = AuthMiddleware(try .apiKey("s3cret", header: "X-Session-Token"))
        try await Fixture.run([Stub(nil, "/me", .text("ok"))]) { other in
            let away = Stub(
                .get, "/away", StubResponse(status: .found, headers: [.location: "\(other.server.baseURL)/me"]))
            try await Fixture.run([away], with: Self.client(auth)) { fixture in
                try await fixture.client.send(Request<String>("away", serializer: .string))
                var direct = me
                direct.options.absoluteURL = "\(other.server.baseURL)/me"
                try await fixture.client.send(direct)
                let name = HTTPField.Name("X-Session-Token")
                #expect(fixture.server.requests.map { $0.headers[name] } == ["s3cret"])
                #expect(other.server.requests.map { $0.headers[name] } == [nil, nil])
            }
        }
    }

    @Test func namedOriginsAreThoseThatGetIt() async throws {
        try await Fixture.run([Stub(nil, "/me", .text("ok"))]) { other in
            let auth = AuthMiddleware(
                try .bearer("t"), scope: try .origins(other.server.baseURL.description + "/any/path"))
            try await Fixture.run([Stub(nil, "/me", .text("ok"))], with: Self.client(auth)) { fixture in
                try await fixture.client.send(me)
                var direct = me
                direct.options.absoluteURL = "\(other.server.baseURL)/me"
                try await fixture.client.send(direct)
                #expect(fixture.server.requests.map { $0.headers[.authorization] } == [nil])
                #expect(other.server.requests.map { $0.headers[.authorization] } == ["Bearer t"])
            }
        }
    }

    @Test func aScopeThatIsNotThereIsSaid() async throws {
        let client = HTTPClient(
            configuration: .init(middleware: [AuthMiddleware(try .bearer("t"))]),
            transport: MockTransport([Stub(nil, "/me", .text("ok"))]))
        var request = me
        request.options.absoluteURL = "http://mock.test/me"
        let error = try await failure { try await client.send(request) }
        #expect(error.code == .invalidRequest)
        #expect(error.description.contains("its scope"))
    }

    @Test func aCredentialsOwnFieldIsHiddenInLogs() async throws {
        let transport = MockTransport { request, context in
            let redaction = request.options.redaction ?? context.environment.redaction
            let fields = redaction.redact(request.head.headerFields)
            return .text(fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
        }
        let client = try HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.middleware = [AuthMiddleware(try .apiKey("s3cret", header: "X-Session-Token"))]
        }
        let shown = try await client.send(me)
        #expect(!shown.contains("s3cret"))
        #expect(shown.lowercased().contains("x-session-token"))
    }

    @Test func aCredentialThatMayLeaveStaysWithItsOriginOverRedirects() async throws {
        let auth = AuthMiddleware(try .bearer("t"))
        try await Fixture.run([Stub(nil, "/me", .text("ok"))]) { third in
            let stubs = [
                Stub(nil, "/a", StubResponse(status: .found, headers: [.location: "/b"])),
                Stub(
                    nil, "/b",
                    StubResponse(status: .found, headers: [.location: third.server.baseURL.description + "/me"])),
            ]
            try await Fixture.run(stubs) { other in
                try await Fixture.run([], with: Self.client(auth)) { fixture in
                    var direct = me
                    direct.options.absoluteURL = other.server.baseURL.description + "/a"
                    direct.options.sendsCredentialsToOtherOrigins = true
                    try await fixture.client.send(direct)
                    #expect(other.server.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t"])
                    #expect(third.server.requests.map { $0.headers[.authorization] } == [nil])
                }
            }
        }
    }
}
#endif
