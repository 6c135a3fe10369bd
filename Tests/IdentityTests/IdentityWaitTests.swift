import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

/// A write goes out as the user who began it, or not at all, if the user changes while the call waits.
@Suite(.timeLimit(.minutes(10))) struct IdentityWaitTests {
    private static let me = Request<String>("me", serializer: .string)

    @Test func retries() async {
        for request in [IdentityWorld.pay, Self.me] {
            let name = request.method.rawValue
            await IdentityWorld.each("\(name) in Retry-After, forgotten", stores: [.memory]) { world in
                let user = IdentityUser("ann")
                let client = world.client(world.chain([], [AuthMiddleware(user.tokens)]))
                world.site.busy.change { $0 = 1 }
                try await world.change(during: request, of: client) { try await user.become("bob") }
                try await world.expect("bob", from: client)
            }
            await IdentityWorld.each("\(name) in Retry-After, renewed", stores: [.memory]) { world in
                let user = IdentityUser("ann")
                let client = world.client(world.chain([], [AuthMiddleware(user.tokens)]))
                world.site.busy.change { $0 = 1 }
                try await world.change(during: request, of: client, goesOnAs: "ann") { try await user.renew() }
            }
            await IdentityWorld.each("\(name) in Retry-After, another name", stores: [.memory]) { world in
                let user = Locked("ann")
                let client = world.client(world.chain([], [AuthMiddleware(Naming(user: user))]))
                world.site.busy.change { $0 = 1 }
                try await world.change(during: request, of: client) { user.change { $0 = "bob" } }
            }
            await IdentityWorld.each("\(name) in Retry-After, an exchanged token", stores: [.memory]) { world in
                let token = Locked("ann-1")
                let client = world.client(world.chain([], [AuthMiddleware(Exchanging(token: token))]))
                world.site.busy.change { $0 = 1 }
                try await world.change(during: request, of: client, goesOnAs: "ann") { token.change { $0 = "ann-2" } }
            }
        }
    }

    @Test func cookies() async {
        func login(_ name: String, _ client: HTTPClient) async throws {
            _ = try await client.send(
                Request<String>(
                    "login/\(name)", options: RequestOptions { $0.cachePolicy = .noStore }, serializer: .string))
        }
        await IdentityWorld.each("a jar that is emptied", stores: [.memory]) { world in
            let store = CookieStore()
            let client = world.client(world.chain([CookieMiddleware(store)], []))
            try await login("ann", client)
            world.site.busy.change { $0 = 1 }
            try await world.change(of: client) {
                store.removeAll()
                try await login("bob", client)
            }
            try await world.expect("bob", from: client)
        }
        await IdentityWorld.each("a jar that the server empties", stores: [.memory]) { world in
            let client = world.client(world.chain([CookieMiddleware()], []))
            try await login("ann", client)
            world.site.busy.change { $0 = 1 }
            try await world.change(of: client) {
                _ = try await client.send(Request<String>("logout", serializer: .string))
                try await login("bob", client)
            }
        }
        await IdentityWorld.each("identityCookies that change", stores: [.memory]) { world in
            let client = world.client(world.chain([CookieMiddleware(identityCookies: ["sid"])], []))
            try await login("ann", client)
            world.site.busy.change { $0 = 1 }
            try await world.change(of: client) { try await login("bob", client) }
        }
        await IdentityWorld.each("a rolling cookie", stores: [.memory]) { world in
            let client = world.client(world.chain([CookieMiddleware()], []))
            try await login("ann", client)
            world.site.busy.change { $0 = 1 }
            try await world.change(of: client, goesOnAs: "ann") { try await login("ann-2", client) }
        }
        for names in [nil, ["sid"]] as [Set<String>?] {
            await IdentityWorld.each("a 503 that sets a cookie, \(names?.sorted() ?? [])", stores: [.memory]) { world in
                world.site.headers.change { $0 = [{ HTTPField(name: .setCookie, value: "place=\($0); Path=/") }] }
                let client = world.client(world.chain([CookieMiddleware(identityCookies: names)], []))
                try await login("ann", client)
                world.site.busy.change { $0 = 1 }
                try await world.change(of: client, goesOnAs: "ann") {}
                try world.expect(writes: ["ann"])
            }
        }
        await IdentityWorld.each("a 503 that sets the first cookie", stores: [.memory]) { world in
            world.site.headers.change { $0 = [{ HTTPField(name: .setCookie, value: "place=\($0); Path=/") }] }
            let client = world.client(world.chain([CookieMiddleware()], []))
            world.site.busy.change { $0 = 1 }
            try await world.change(of: client, goesOnAs: "nobody") {}
        }
    }

    @Test func limits() async {
        await IdentityWorld.each("in a rate limit", stores: [.memory]) { world in
            let user = IdentityUser("ann")
            let limit = RateLimitMiddleware(rate: 0.1)
            let client = world.client(world.chain([], [AuthMiddleware(user.tokens), limit]))
            try await world.expect("ann", from: client)
            try await world.change(of: client) { try await user.become("bob") }
            _ = try await world.clock.run { try await client.send(IdentityWorld.pay) }
            try world.expect(writes: ["bob"])
        }
        await IdentityWorld.each("in a concurrency limit", stores: [.memory]) { world in
            let user = IdentityUser("ann")
            let limit = ConcurrencyLimitMiddleware(limit: 1)
            let middleware: [any Middleware] = [AuthMiddleware(user.tokens), limit]
            let begun = Locked(0)
            var client = world.client(middleware)
            client = client.with { $0.middleware = [Counting(count: begun)] + $0.middleware + [Holding()] }
            // Occupies the only place, wherever the limit is.
            let first = Task { try await client.send(Request<String>("hold", serializer: .string)) }
            try await world.clock.waitForSleepers(count: 1)
            let call = Task { try await client.send(IdentityWorld.pay) }
            while begun.value < 2 { try await Task.sleep(for: .milliseconds(1)) }
            try await user.become("bob")
            await world.clock.advance(by: .seconds(60))
            _ = await first.result
            guard case .failure(let error as APIError<Never>) = await call.result else {
                throw IdentityWorld.Mismatch(description: "the call went on")
            }
            guard error.netError?.code == .authentication else { throw error }
            try world.expect(writes: [])
        }
    }

    @Test func renewals() async {
        await IdentityWorld.each("during a renewal", stores: [.memory]) { world in
            let (name, clock) = (Locked("ann"), world.clock)
            let tokens = RefreshingCredentials(configuration: .init(timeout: .seconds(600), clock: clock.netClock)) {
                _ in
                let user = name.value
                try await clock.sleep(for: .seconds(5))
                return try .bearer(user)
            }
            let client = world.client(world.chain([], [AuthMiddleware(tokens)]))
            // The renewal and its timeout sleep.
            try await world.change(of: client, sleepers: 2) {
                name.change { $0 = "bob" }
                try await tokens.forget()
            }
        }
    }
}

/// A provider that knows its user.
struct Naming: CredentialProvider {
    let user: Locked<String>

    func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer(user.value) }

    func identity(for request: PreparedRequest) async throws -> CallIdentity { .named(user.value) }
}

/// Holds the requests to `/hold` for a minute.
private struct Holding: Middleware {
    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
        if request.head.path == "/hold" { try await context.pause(for: .seconds(60)) }
        return try await next(request, context)
    }
}

/// Counts the calls whose logins are known.
private struct Counting: Middleware {
    let count: Locked<Int>

    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
        count.change { $0 += 1 }
        return try await next(request, context)
    }
}
