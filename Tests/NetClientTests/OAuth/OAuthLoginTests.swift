import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetClient

@Suite(.timeLimit(.minutes(2))) struct OAuthLoginTests {
    private func client(_ transport: MockTransport) -> HTTPClient {
        HTTPClient(baseURL: "https://id.test/realms/a?v=1", transport: transport)
    }

    private func oauth(_ transport: MockTransport = MockTransport(), clock: NetClock = .system) -> OAuthClient {
        OAuthClient(tokenURL: "token?tenant=b", clientID: "cli", client: client(transport), clock: clock)
    }

    private let back = "app:/done"

    @Test func theChallengeIsTheOneOfTheStandard() {
        // RFC 7636 appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(OAuthLogin.challenge(of: verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func aLoginHasSecretsOfItsOwn() throws {
        let first = try oauth().login(at: "authorize", redirectingTo: back)
        let second = try oauth().login(at: "authorize", redirectingTo: back)
        #expect(first.state != second.state)
        #expect(first.verifier != second.verifier)
        #expect(first.state.count == 43)
        #expect(first.verifier.count == 43)
        #expect(first.verifier != first.state)
        for secret in [first.state, first.verifier] { #expect(!"\(first)".contains(secret)) }
    }

    @Test func urlsMayBeRelativeToTheBaseOrAbsolute() async throws {
        let random = SeededRandom(seed: 1).netRandom
        let login = try oauth().login(
            at: "/authorize?ui=dark", redirectingTo: back, scopes: ["a", "b"], parameters: ["prompt": "login"],
            random: random)
        #expect(login.url.hasPrefix("https://id.test/realms/a/authorize?v=1&ui=dark&prompt=login&response_type=code&"))
        #expect(login.url.contains("&redirect_uri=app%3A%2Fdone&"))
        #expect(login.url.hasSuffix("&scope=a%20b"))
        let absolute = try oauth().login(at: "https://login.test/go?x=1", redirectingTo: back)
        #expect(absolute.url.hasPrefix("https://login.test/go?x=1&response_type=code"))
        let transport = MockTransport([
            Stub(.post, "/realms/a/token", .json(text: #"{"access_token":"t","token_type":"Bearer"}"#))
        ])
        _ = try await oauth(transport).clientCredentials()
        #expect(transport.recordedRequests.first?.target == "/realms/a/token?v=1&tenant=b")
    }

    @Test func onlyTheResponseToTheLoginIsTaken() throws {
        let login = try oauth().login(at: "authorize", redirectingTo: back, issuer: "https://id.test")
        let issuer = "iss=https%3A%2F%2Fid.test"
        #expect(try login.code(in: "\(back)?code=a%2Bb+c&state=\(login.state)&\(issuer)") == "a+b c")
        for (query, words) in [
            ("code=x&state=other&\(issuer)", "state"), ("code=x&\(issuer)", "state"),
            ("code=x&state=\(login.state)", "issuer"), ("code=x&state=\(login.state)&iss=https://evil.test", "issuer"),
            ("code=x&code=y&state=\(login.state)&\(issuer)", "twice"),
            ("state=\(login.state)&\(issuer)", "no code"), ("code=&state=\(login.state)&\(issuer)", "no code"),
            ("error=access_denied&state=other&\(issuer)", "state"),
            ("error=access_denied&state=\(login.state)&\(issuer)", "access_denied"),
        ] {
            let error = #expect(throws: NetError.self) { try login.code(in: "\(back)?\(query)") }
            #expect(error?.code == .authentication, "\(query)")
            #expect(error?.message.contains(words) == true, "\(query)")
        }
    }

    @Test func aRedirectOfAnotherLoginSendsNothing() async throws {
        let transport = MockTransport()
        let oauth = oauth(transport)
        let login = try oauth.login(at: "authorize", redirectingTo: back)
        let error = await #expect(throws: APIError<OAuthError>.self) {
            try await oauth.token(for: login, redirectedTo: "\(back)?code=x&state=y")
        }
        #expect(error?.netError?.isAuthentication == true)
        #expect(transport.recordedRequests.isEmpty)
    }

    /// Responds with the errors, then with a token; returns the times of the requests.
    private func times(_ answers: [StubResponse], lifetime: Int = 600) async throws -> (
        times: [Duration], APIError<OAuthError>?
    ) {
        let clock = TestClock()
        let times = Locked<[Duration]>([])
        let left = Locked(answers)
        let device = Stub(
            .post, "/realms/a/device",
            .json(
                text:
                    #"{"device_code":"d","user_code":"u","verification_uri":"https://x.test","expires_in":\#(lifetime)}"#
            ))
        let token = Stub(.post, "/realms/a/token") { _ in
            times.change { $0.append(clock.now) }
            var answer = StubResponse.json(text: #"{"access_token":"t","token_type":"Bearer"}"#)
            left.change { if !$0.isEmpty { answer = $0.removeFirst() } }
            return answer
        }
        let oauth = oauth(MockTransport([device, token]), clock: clock.netClock)
        let login = try await oauth.device(at: "device")
        do {
            _ = try await clock.run { try await oauth.token(for: login) }
            return (times.value, nil)
        } catch let error as APIError<OAuthError> {
            return (times.value, error)
        }
    }

    private func refusal(_ code: String) -> StubResponse {
        .json(text: #"{"error":"\#(code)"}"#, status: .badRequest)
    }

    @Test func questionsComeAtTheirPaceAndSlowerWhenTold() async throws {
        let pending = refusal("authorization_pending")
        let (times, error) = try await times([pending, refusal("slow_down"), pending, refusal("slow_down")])
        #expect(times == [5, 10, 20, 30, 45].map { .seconds($0) })
        #expect(error == nil)
    }

    @Test func aServerInTroubleIsAskedLessOften() async throws {
        let (times, error) = try await times([.status(.serviceUnavailable), .dropped()])
        #expect(times == [5, 15, 35].map { .seconds($0) })
        #expect(error == nil)
    }

    @Test func theWaitEndsWithTheUsersTime() async throws {
        let pending = Array(repeating: refusal("authorization_pending"), count: 20)
        let (times, error) = try await times(pending, lifetime: 17)
        #expect(times == [5, 10, 15].map { .seconds($0) })
        #expect(error?.isTimeout == true)
        let (once, over) = try await self.times([refusal("expired_token")])
        #expect(once.count == 1)
        #expect(over?.rejection?.failure.error == "expired_token")
    }
}
