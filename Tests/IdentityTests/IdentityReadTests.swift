import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

/// Users get their own data, in each order of the middleware.
@Suite(.timeLimit(.minutes(10))) struct IdentityReadTests {
    private func visit(_ path: String, _ client: HTTPClient) async throws {
        _ = try await client.send(
            Request<String>(
                url: "https://site.test/\(path)", options: RequestOptions { $0.cachePolicy = .noStore },
                serializer: .string))
    }

    @Test func cookies() async {
        await IdentityWorld.each("log-in over log-in") { world in
            let client = world.client(world.chain([CookieMiddleware()], []))
            try await visit("login/ann", client)
            try await world.expect("ann", from: client)
            try await visit("login/bob", client)
            try await world.expect("bob", from: client)
            try await visit("login/ann", client)
            try await world.expect("ann", from: client)
        }
        await IdentityWorld.each("log-out by the server") { world in
            let client = world.client(world.chain([CookieMiddleware()], []))
            try await visit("login/ann", client)
            try await world.expect("ann", from: client)
            try await visit("logout", client)
            try await world.expect("nobody", from: client)
            try await visit("login/bob", client)
            try await world.expect("bob", from: client)
        }
        for names in [nil, ["sid"]] as [Set<String>?] {
            await IdentityWorld.each("a rolling cookie, identityCookies \(names?.sorted() ?? [])") { world in
                world.site.headers.change {
                    $0 = [{ HTTPField(name: .setCookie, value: "track=\($0); Path=/") }]
                }
                let client = world.client(world.chain([CookieMiddleware(identityCookies: names)], []))
                try await visit("login/ann", client)
                for _ in 0..<3 { try await world.expect("ann", from: client) }
                try world.expect(requests: names == nil ? 3 : 1)
                try await visit("login/bob", client)
                try await world.expect("bob", from: client)
            }
        }
    }

    @Test func connections() async {
        await IdentityWorld.each("certificates of ann, bob and nobody") { world in
            let cache = world.cache()
            func client(_ user: String?) -> HTTPClient {
                world.client([cache, CoalescingMiddleware(), RetryMiddleware()], over: IdentitySite(certificate: user))
            }
            let clients = [("ann", client("ann")), ("bob", client("bob")), ("nobody", client(nil))]
            for _ in 0..<2 { for (user, client) in clients { try await world.expect(user, from: client) } }
        }
        let site: @Sendable () -> IdentitySite = { IdentitySite(ticket: "ann") }
        await IdentityWorld.each("Kerberos", site: site) { world in
            let cache = world.cache()
            let ann = world.client([cache, CoalescingMiddleware(), RetryMiddleware()])
            let other = world.client([cache, CoalescingMiddleware()], over: IdentitySite())
            for _ in 0..<2 {
                try await world.expect("ann", from: ann)
                try await world.expect("nobody", from: other)
            }
            try world.expect(requests: 1)
        }
    }

    /// A middleware of an app, which knows the user, and has no identity source.
    private struct Own: Middleware {
        let user: Locked<String>
        let change: @Sendable (inout PreparedRequest, String) -> Void

        func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            var request = request
            change(&request, user.value)
            return try await next(request, context)
        }
    }

    @Test func middlewareOfAnApp() async {
        let changes: [(String, @Sendable (inout PreparedRequest, String) -> Void)] = [
            ("a query item", { $0.head.path = ($0.head.path ?? "") + "?user=\($1)" }),
            ("another path", { $0.head.path = "/of/\($1)" }),
            ("another host", { $0.head.authority = "\($1).site.test" }),
            ("a header", { $0.head.headerFields["X-User"] = $1 }),
            ("a credential", { $0.head.headerFields[.authorization] = "Bearer \($1)" }),
        ]
        for (name, change) in changes {
            await IdentityWorld.each("own middleware, \(name)") { world in
                let user = Locked("ann")
                let client = world.client(world.chain([], [Own(user: user, change: change)]))
                for name in ["ann", "bob", "ann"] {
                    user.change { $0 = name }
                    try await world.expect(name, from: client)
                }
            }
        }
    }

    @Test func tokens() async {
        await IdentityWorld.each("a renewed token") { world in
            let user = IdentityUser("ann")
            let client = world.client(world.chain([], [AuthMiddleware(user.tokens)]))
            try await world.expect("ann", from: client)
            try await user.renew()
            try await world.expect("ann", from: client)
            try world.expect(requests: 1)
        }
        await IdentityWorld.each("a forgotten login") { world in
            let user = IdentityUser("ann")
            let client = world.client(world.chain([], [AuthMiddleware(user.tokens)]))
            try await world.expect("ann", from: client)
            try await user.become("bob")
            try await world.expect("bob", from: client)
            try await user.become("ann")
            try await world.expect("ann", from: client)
            try world.expect(requests: 3)
        }
        for placement in [CredentialPlacement.query("user"), .cookie("sid")] {
            await IdentityWorld.each("a token as \(placement)") { world in
                let user = Locked("ann")
                let provider = Exchanging(token: user).placed(placement)
                let client = world.client(world.chain([CookieMiddleware()], [AuthMiddleware(provider)]))
                for name in ["ann", "bob", "ann"] {
                    user.change { $0 = name }
                    try await world.expect(name, from: client)
                }
            }
        }
        await IdentityWorld.each("a provider without an identity renews") { world in
            let token = Locked("ann-1")
            world.site.refused.change { $0 = ["ann-1"] }
            let client = world.client(world.chain([], [AuthMiddleware(Exchanging(token: token))]))
            try await world.expect("ann", from: client)
            guard token.value == "ann-2" else { throw IdentityWorld.Mismatch(description: token.value) }
        }
    }

    @Test func restarts() async {
        for (name, requests) in [("ann", 1), ("bob", 2)] {
            await IdentityWorld.each("after a restart as \(name)", stores: [.disk]) { world in
                let first = world.client(world.chain([], [AuthMiddleware(IdentityUser("ann", named: true).tokens)]))
                try await world.expect("ann", from: first)
                let second = world.client(world.chain([], [AuthMiddleware(IdentityUser(name, named: true).tokens)]))
                try await world.expect(name, from: second)
                try world.expect(requests: requests)
            }
        }
    }
}

/// A provider that knows only tokens: the next one replaces a rejected one.
struct Exchanging: CredentialProvider {
    let token: Locked<String>

    func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer(token.value) }

    func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
        token.change { token in
            let parts = token.split(separator: "-")
            token = "\(parts.first ?? "")-\((parts.last.flatMap { Int($0) } ?? 0) + 1)"
        }
        return try .bearer(token.value)
    }
}
