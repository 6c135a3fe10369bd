#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Tests against authlib, an independent implementation of an authorization server.
@Suite(.timeLimit(.minutes(2))) struct OAuthPeerTests {
    /// nil if the packages aren't installed: `scripts/bootstrap --tests`.
    static let python = StreamPeer.python(with: "authlib", "flask")

    private struct Site {
        let peer: StreamPeer
        let client: HTTPClient
        let clock = TestClock()

        /// A program with a secret.
        var app: OAuthClient {
            OAuthClient(tokenURL: "/token", clientID: "app", clientSecret: "s3cret", client: client)
        }

        /// A program without a secret, on a clock that doesn't advance.
        var cli: OAuthClient { OAuthClient(tokenURL: "token", clientID: "cli", client: client, clock: clock.netClock) }

        func me(_ credentials: RefreshingCredentials) async throws -> String {
            let api = client.with { $0.middleware = [AuthMiddleware(credentials)] }
            return try await api.send(Request<String>("me", serializer: .string))
        }

        /// Opens a page like a browser; returns the location of its redirect.
        func open(_ url: String) async throws -> String {
            var page = Request<Void>(url: url, serializer: .discard)
            page.options.redirects = .manual
            page.options.validation = .any
            return try #require(try await client.raw(page).head[.location])
        }

        func answer(_ device: OAuthDevice, _ answer: String) async throws {
            let form: QueryItems = [QueryItem("code", device.userCode), QueryItem("answer", answer)]
            try await client.send(Request<Void>("allow", method: .post, body: .form(form), serializer: .discard))
        }
    }

    private func run(_ body: (Site) async throws -> Void) async throws {
        let peer = try StreamPeer("auth/oauth.py", with: #require(Self.python))
        let client = HTTPClient(baseURL: peer.baseURL)
        try await body(Site(peer: peer, client: client))
        await client.shutdown()
    }

    private let redirect = "http://127.0.0.1:9/done"

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs authlib"))
    func theProgramItselfGetsATokenThatRenewsItself() async throws {
        try await run { site in
            let credentials = site.app.credentials(scopes: ["read"])
            #expect(try await site.me(credentials) == "the app by app, read")
            let first = credentials.current
            try await site.client.send(Request<Void>("end", method: .post, serializer: .discard))
            #expect(try await site.me(credentials) == "the app by app, read")
            #expect(credentials.current != first)
            let wrong = OAuthClient(tokenURL: "token", clientID: "app", clientSecret: "no", client: site.client)
            let error = await #expect(throws: APIError<OAuthError>.self) { try await wrong.clientCredentials() }
            #expect(error?.rejection?.failure.error == "invalid_client")
        }
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs authlib"))
    func aLoginInABrowserGivesATokenOfTheUser() async throws {
        try await run { site in
            let login = try site.cli.login(at: "authorize", redirectingTo: redirect, scopes: ["read"])
            let back = try await site.open(login.url)
            let token = try await site.cli.token(for: login, redirectedTo: back)
            #expect(token.scope == "read")
            #expect(token.refreshToken != nil)
            let credentials = site.cli.credentials(initial: try token.credential(receivedAt: Date()))
            #expect(try await site.me(credentials) == "ann by cli, read")
            // The refresh token can be used once, and its response contains the next one.
            try await site.client.send(Request<Void>("end", method: .post, serializer: .discard))
            #expect(try await site.me(credentials) == "ann by cli, read")
            #expect(credentials.current?.renewal != token.refreshToken)
            // A code can be used only once.
            let again = await #expect(throws: APIError<OAuthError>.self) {
                try await site.cli.token(for: login, redirectedTo: back)
            }
            #expect(again?.rejection?.failure.error == "invalid_grant")
        }
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs authlib"))
    func aCodeIsWorthNothingToWhoHasNotTheVerifier() async throws {
        try await run { site in
            let login = try site.cli.login(at: "authorize", redirectingTo: redirect)
            let thief = try site.cli.login(at: "authorize", redirectingTo: redirect)
            let back = try await site.open(login.url).replacing(login.state, with: thief.state)
            let error = await #expect(throws: APIError<OAuthError>.self) {
                try await site.cli.token(for: thief, redirectedTo: back)
            }
            #expect(error?.rejection?.failure.error == "invalid_grant")
        }
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs authlib"))
    func aUserWhoRefusesIsSaid() async throws {
        try await run { site in
            let login = try site.cli.login(
                at: "authorize", redirectingTo: redirect, parameters: ["login_hint": "nobody"])
            let back = try await site.open(login.url)
            let error = await #expect(throws: APIError<OAuthError>.self) {
                try await site.cli.token(for: login, redirectedTo: back)
            }
            #expect(error?.netError?.isAuthentication == true)
            #expect((error?.netError?.underlying as? OAuthError)?.error == "access_denied")
        }
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs authlib"))
    func aLoginOnAnotherDeviceWaitsForItsUser() async throws {
        try await run { site in
            let device = try await site.cli.device(at: "/device", scopes: ["read"])
            #expect(device.page == "\(site.peer.baseURL)/enter")
            #expect(device.completePage?.contains(device.userCode) == true)
            #expect(device.interval == .seconds(5))
            #expect(device.lifetime == .seconds(1800))
            let token = Task { try await site.cli.token(for: device) }
            // Polls after 5 s, receives `slow_down` after 10 s, and polls again after 20 s.
            for pause in [5, 5, 10] {
                try await site.clock.waitForSleepers(count: 1)
                if pause == 10 { try await site.answer(device, "yes") }
                await site.clock.advance(by: .seconds(pause))
            }
            let credentials = site.cli.credentials(initial: try await token.value.credential(receivedAt: Date()))
            #expect(try await site.me(credentials) == "ann by cli, read")
            #expect(site.clock.now == .seconds(20))
            let polls = try await site.client.get("polls", as: [Int].self)
            #expect(polls == [2])
        }
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs authlib"))
    func aLoginOnAnotherDeviceMayBeRefused() async throws {
        try await run { site in
            let device = try await site.cli.device(at: "/device")
            try await site.answer(device, "no")
            let token = Task { try await site.cli.token(for: device) }
            try await site.clock.waitForSleepers(count: 1)
            await site.clock.advance(by: .seconds(5))
            let error = await #expect(throws: APIError<OAuthError>.self) { try await token.value }
            #expect(error?.rejection?.failure.error == "access_denied")
        }
    }
}
#endif
