#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Errors of a middleware and of a credential's renewal are passed on unchanged.
@Suite(.timeLimit(.minutes(2))) struct RenewalErrorTests {
    private let me = Request<String>("me", serializer: .string)
    private let patient = RetryMiddleware(RetryPolicy(maximumAttempts: 3, backoff: .constant(.zero)))

    private func oauth(_ url: String, _ fixture: Fixture) -> OAuthClient {
        OAuthClient(tokenURL: url, clientID: "app", clientSecret: "client-SECRET", client: fixture.client)
    }

    /// A client that gets its tokens from an endpoint, and retries requests that are safe to repeat.
    private func client(_ url: String, _ fixture: Fixture, initial: Credential? = nil) -> HTTPClient {
        let credentials = oauth(url, fixture).credentials(initial: initial)
        return fixture.client.with { $0.middleware = [patient, AuthMiddleware(credentials)] }
    }

    @Test func offlineWhileATokenIsRenewedIsAConnectivityErrorAndIsRepeatedAsOne() async throws {
        let closed = try ClosedPort()
        let log = EventLog()
        try await Fixture.run([Stub(.get, "/me", .text("hello"))]) { fixture in
            let client = client("\(closed.baseURL)/token", fixture).with { $0.listeners = [log] }
            let error = try await failure { try await client.send(me) }
            #expect(error.code == .connect, "\(error)")
            #expect(error.isConnectivity, "\(error)")
            #expect(error.phase == .connecting, "\(error)")
            #expect(error.url == "\(fixture.server.baseURL)/me")
            #expect(error.attempt == 3)
            let cause = try #require(error.underlying as? NetError)
            #expect(cause.url == "\(closed.baseURL)/token")
            #expect(cause.code == .connect)
            #expect(error.message.contains("in a call that AuthMiddleware made (POST \(closed.baseURL)/token)"))
            #expect(log.names.count { $0 == "retrying" } == 2)
            #expect(fixture.server.requests.isEmpty)
        }
    }

    @Test func aTokenThatComesAtTheSecondTryIsUsed() async throws {
        let tokens = Stub.inOrder(
            "tokens",
            [
                Stub(.post, "/token", .dropped()),
                Stub(.post, "/token", .json(text: #"{"access_token":"t1","token_type":"Bearer"}"#)),
            ])
        try await Fixture.run(tokens + [Stub(.get, "/me", .text("hello"))]) { fixture in
            let text = try await client("\(fixture.server.baseURL)/token", fixture).send(me)
            #expect(text == "hello")
        }
    }

    @Test func aTokenEndpointThatRefusesIsAnAuthenticationErrorInItsWords() async throws {
        let refusal =
            #"{"error":"invalid_grant","error_description":"the user logged out","error_uri":"https://x.test/e"}"#
        try await Fixture.run([Stub(.post, "/token", .json(text: refusal, status: .badRequest))]) { fixture in
            let error = try await failure { try await client("\(fixture.server.baseURL)/token", fixture).send(me) }
            #expect(error.code == .authentication)
            #expect(error.isAuthentication)
            #expect(!error.isConnectivity)
            for words in ["invalid_grant", "the user logged out", "https://x.test/e", "/token"] {
                #expect(error.message.contains(words), "\(error)")
            }
            #expect(error.url == "\(fixture.server.baseURL)/me")
            #expect(error.attempt == 1)
            guard case .rejected(let failure, let response)? = error.underlying as? APIError<OAuthError> else {
                Issue.record("\(String(describing: error.underlying))")
                return
            }
            #expect(failure.error == "invalid_grant")
            #expect(response.status == .badRequest)
            #expect(fixture.server.requests.count == 1, "a refusal is not repeated")
        }
    }

    @Test func theWordsOfARefusalHoldNoToken() async throws {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
        let text =
            #"{"error":"invalid_grant","error_description":"r-SECRET of client-SECRET (token=SECRET, "#
            + jwt + #") \n is over","error_uri":"https://x.test/e?token=SECRET&lang=en"}"#
        try await Fixture.run([Stub(.post, "/token", .json(text: text, status: .badRequest))]) { fixture in
            var initial = try Credential.bearer("old", expires: Date(timeIntervalSince1970: 0))
            initial.renewal = "r-SECRET"
            let client = client("\(fixture.server.baseURL)/token", fixture, initial: initial)
            let error = try await failure { try await client.send(me) }
            var said = "\(error) \(error.debugSummary) \(error.underlying.map { "\($0)" } ?? "")"
            dump(error.underlying, to: &said)
            #expect(!said.contains("SECRET"), "\(said)")
            #expect(!said.contains(jwt), "\(said)")
            #expect(error.message.contains("is over"))
            #expect(error.message.contains("lang=en"))
            let direct = await #expect(throws: APIError<OAuthError>.self) {
                try await oauth("\(fixture.server.baseURL)/token", fixture).refresh("r-SECRET")
            }
            #expect("\(String(describing: direct))".contains("invalid_grant"))
            #expect(!"\(String(describing: direct))".contains("SECRET"))
        }
    }

    @Test(arguments: [400, 401, 403]) func aRefusalWithoutAnOAuthErrorIsOneToo(status: Int) async throws {
        let page = StubResponse.text("<html>no</html>", status: .init(code: status))
        try await Fixture.run([Stub(.post, "/token", page)]) { fixture in
            let error = try await failure { try await client("\(fixture.server.baseURL)/token", fixture).send(me) }
            #expect(error.isAuthentication, "\(error)")
            #expect(error.message.contains("status \(status)"), "\(error)")
        }
    }

    @Test(arguments: [429, 500, 503]) func anEndpointInTroubleRefusesNobody(status: Int) async throws {
        let trouble = #"{"error":"temporarily_unavailable","error_description":"come back"}"#
        for body in [trouble, "<html>"] {
            let stub = Stub(.post, "/token", .json(text: body, status: .init(code: status)))
            try await Fixture.run([stub]) { fixture in
                let error = try await failure { try await client("\(fixture.server.baseURL)/token", fixture).send(me) }
                #expect(error.code == .unacceptableStatus, "\(error)")
                #expect(error.status == status, "\(error)")
            }
        }
    }

    /// A middleware that throws an error.
    private struct Throwing: Middleware {
        let make: @Sendable (CallContext) async throws -> any Error

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse { throw try await make(context) }
    }

    private func error(_ make: @escaping @Sendable (CallContext) async throws -> any Error) async throws -> NetError {
        let client = HTTPClient(baseURL: "https://api.test", transport: MockTransport()) {
            $0.middleware = [AdaptiveTimeoutMiddleware(), Throwing(make: make)]
        }
        return try await failure { try await client.send(me) }
    }

    @Test func anErrorOfOursKeepsCodePhaseAndPredicatesWhateverItsShape() async throws {
        let inner = NetError(.timeout, phase: .waiting, message: "slow")
        for thrown in [inner, APIError<Never>.failed(inner), APIError<OAuthError>.failed(inner)] as [any Error] {
            let error = try await error { _ in thrown }
            #expect(error.isTimeout, "\(error)")
            #expect(error.phase == .waiting, "\(error)")
            #expect(error.message == "slow", "\(error)")
            #expect(error.url == "https://api.test/me")
            #expect(error.elapsed != nil)
        }
        let own = try await error { $0.error(.dns, phase: .resolving, message: "no such host") }
        #expect(own.isConnectivity)
        #expect(own.message == "no such host")
        #expect(own.underlying == nil)
        #expect(try await error { _ in CancellationError() }.isCancellation)
    }

    @Test func anErrorOfAnotherClientIsTheCause() async throws {
        let other = HTTPClient(
            baseURL: "https://other.test",
            transport: MockTransport.failing(with: NetError(.dns, phase: .resolving, message: "no such host")))
        let error = try await error { _ in
            do {
                try await other.send(
                    Request<String>("x", query: [QueryItem("token", "SECRET")], serializer: .string))
            } catch {
                return error
            }
            return CancellationError()
        }
        #expect(error.code == .dns)
        #expect(error.url == "https://api.test/me")
        #expect((error.underlying as? NetError)?.url?.hasPrefix("https://other.test/x") == true)
        #expect(!"\(error)".contains("SECRET"))
    }

    @Test func aTypedFailureOfAnotherClientKeepsItsResponse() async throws {
        let other = HTTPClient(
            baseURL: "https://other.test",
            transport: MockTransport([Stub(.get, "/x", .json(text: #"{"token":"SECRET"}"#, status: .conflict))]))
        let error = try await error { _ in
            do {
                try await other.send(Request<String>("x", serializer: .string).rejected(as: [String: String].self))
            } catch { return error }
            return CancellationError()
        }
        #expect(error.code == .unacceptableStatus)
        #expect(error.status == 409)
        #expect(error.phase == .validating)
        #expect(error.underlying is APIError<[String: String]>)
        #expect(!"\(error) \(error.debugSummary)".contains("SECRET"))
    }

    @Test func aForeignErrorIsNamedWithoutItsValues() async throws {
        let error = try await error { _ in
            DecodingError.dataCorrupted(
                .init(codingPath: [JSONKey("pin")], debugDescription: "invalid String value SECRET"))
        }
        #expect(error.code == .middleware)
        #expect(error.underlying is DecodingError)
        #expect(error.message == "Throwing failed: $.pin contains a value that its type doesn't accept")
    }

    @Test func anErrorOfABodyThatReadsFromAnotherClientIsTheCause() async throws {
        let inner = NetError(
            .connectionLost, phase: .receiving, message: "cut",
            call: CallSummary(id: CallID(high: 1, low: 1), method: .get, url: "https://source.test/file"))
        let chunks = AsyncThrowingStream<Bytes, any Error> { $0.finish(throwing: APIError<Never>.failed(inner)) }
        try await Fixture.run([.echo()]) { fixture in
            let error = try await failure {
                try await fixture.client.send(
                    Request<String>("echo", method: .post, body: .stream(chunks), serializer: .string))
            }
            #expect(error.code == .connectionLost)
            #expect(error.phase == .receiving)
            #expect(error.url?.hasSuffix("/echo") == true)
            #expect((error.underlying as? NetError)?.url == "https://source.test/file", "\(error)")
        }
    }
}
#endif
