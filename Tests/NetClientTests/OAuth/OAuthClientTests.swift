#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct OAuthClientTests {
    private let me = Request<String>("me", serializer: .string)

    private func oauth(_ fixture: Fixture, proof: OAuthClient.Proof = .basic) -> OAuthClient {
        OAuthClient(
            tokenURL: "\(fixture.server.baseURL)/token", clientID: "a b", clientSecret: "s3:cret", proof: proof,
            client: fixture.client)
    }

    @Test func clientCredentialsAreSentAsTheStandardSays() async throws {
        let token = Stub(
            .post, "/token", .json(text: #"{"access_token":"t1","token_type":"bearer","expires_in":"3600"}"#))
        try await Fixture.run([token]) { fixture in
            let token = try await oauth(fixture).clientCredentials(scopes: ["read", "write"])
            #expect(token.accessToken == "t1")
            #expect(token.lifetime == 3600)
            #expect("\(token)" == "bearer <redacted>")
            let seen = try #require(fixture.server.requests.first)
            #expect(seen.headers.authorization == (try .basic(user: "a+b", password: "s3%3Acret")))
            #expect(seen.headers[.contentType] == "application/x-www-form-urlencoded")
            #expect(seen.body == Bytes("grant_type=client_credentials&scope=read+write".utf8))
            _ = try await oauth(fixture, proof: .body).clientCredentials()
            let body = try #require(fixture.server.requests.last?.body)
            #expect(body == Bytes("grant_type=client_credentials&client_id=a+b&client_secret=s3%3Acret".utf8))
            #expect(fixture.server.requests.last?.headers[.authorization] == nil)
        }
    }

    @Test func aRefusalIsTyped() async throws {
        let token = Stub(
            .post, "/token",
            .json(
                text: #"{"error":"invalid_grant","error_description":"it is over","error_uri":"https://x.test/e"}"#,
                status: .badRequest))
        try await Fixture.run([token]) { fixture in
            let error = await #expect(throws: APIError<OAuthError>.self) {
                try await oauth(fixture).refresh("r1")
            }
            guard case .rejected(let refusal, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(refusal.error == "invalid_grant")
            #expect("\(refusal)".contains("it is over"))
        }
    }

    @Test func anUnusableTokenIsSaid() async throws {
        let mac = Stub(.post, "/token", .json(text: #"{"access_token":"t1","token_type":"mac"}"#))
        try await Fixture.run([mac]) { fixture in
            let tokens = oauth(fixture).credentials()
            let request = try fixture.client.prepare(me)
            let error = await #expect(throws: NetError.self) { try await tokens.credential(for: request) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func tokensRenewThemselvesWithTheRefreshTokenAndAnewWhereThatIsOver() async throws {
        let tokens = Stub(.post, "/token") { request in
            let form = String(decoding: request.body, as: UTF8.self)
            if form.contains("client_credentials") {
                return .json(text: #"{"access_token":"first","token_type":"Bearer","refresh_token":"r1"}"#)
            }
            if form.contains("refresh_token=r1") {
                return .json(text: #"{"access_token":"second","token_type":"Bearer"}"#)
            }
            return .json(text: #"{"error":"invalid_grant"}"#, status: .badRequest)
        }
        let protected = Stub(nil, "/me") { request in
            request.headers[.authorization] == "Bearer second" ? .text("hello") : .status(.unauthorized)
        }
        try await Fixture.run([tokens, protected]) { fixture in
            let credentials = oauth(fixture).credentials()
            let client = fixture.client.with { $0.middleware = [AuthMiddleware(credentials)] }
            let text1 = try await client.send(me)
            #expect(text1 == "hello")
            let paths = fixture.server.requests.map(\.target)
            #expect(paths == ["/token", "/me", "/token", "/me"])
            // The refresh token stays if the response contains no other.
            #expect(credentials.current?.renewal == "r1")
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func aRedirectToAnotherOriginGetsNothingOfTheForm(status: Int)
        async throws
    {
        let elsewhere = Stub(nil, "/token", .json(text: #"{"access_token":"t1","token_type":"bearer"}"#))
        try await Fixture.run([elsewhere]) { other in
            let target = "\(other.server.baseURL)/token"
            let moved = Stub(nil, "/token", .status(HTTPResponse.Status(code: status)).header(.location, target))
            try await Fixture.run([moved]) { fixture in
                let error = await #expect(throws: APIError<OAuthError>.self) {
                    try await oauth(fixture, proof: .body).refresh("r1")
                }
                guard case .failed(let cause)? = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(cause.code == .redirect)
                #expect(cause.message.contains(target))
                #expect(other.server.requests.count == 0)
                let device = await #expect(throws: APIError<OAuthError>.self) {
                    try await oauth(fixture).device(at: "\(fixture.server.baseURL)/token")
                }
                #expect("\(String(describing: device))".contains(target))
                #expect(other.server.requests.count == 0)
            }
        }
    }

    @Test func aRedirectWithinTheOriginIsFollowed() async throws {
        let moved = Stub(.post, "/token", .status(.permanentRedirect).header(.location, "/token/"))
        let token = Stub(.post, "/token/", .json(text: #"{"access_token":"t1","token_type":"bearer"}"#))
        try await Fixture.run([moved, token]) { fixture in
            let token = try await oauth(fixture, proof: .body).refresh("r1")
            #expect(token.accessToken == "t1")
            let bodies = fixture.server.requests.map(\.body)
            #expect(bodies.count == 2)
            #expect(bodies.first == bodies.last)
        }
    }
}
#endif
