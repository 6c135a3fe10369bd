#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// No user gets a response that was fetched with another user's credentials, in any order of the middleware.
@Suite(.timeLimit(.minutes(5))) struct CallIdentityOrderTests {
    enum Part: String, CaseIterable, Sendable { case cache, coalescing, auth, retry }

    struct Order: Sendable, CustomTestStringConvertible {
        let parts: [Part]
        var testDescription: String { parts.map(\.rawValue).joined(separator: " ") }

        static let all = orders(of: Part.allCases).map { Order(parts: $0) }

        private static func orders(of parts: [Part]) -> [[Part]] {
            if parts.isEmpty { return [[]] }
            return parts.flatMap { first in orders(of: parts.filter { $0 != first }).map { [first] + $0 } }
        }
    }

    struct Setting: Sendable {
        let vary: String?
        let isShared: Bool

        static let all = [(nil, false), (nil, true), ("Authorization", false), ("Authorization", true)].map {
            Setting(vary: $0.0, isShared: $0.1)
        }
    }

    /// The user of the running task, known only to the provider.
    @TaskLocal static var user = "nobody"

    struct TaskUser: CredentialProvider {
        func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer(user) }
    }

    /// The server's response: the owner of the data, and the number of requests.
    struct Site: Sendable {
        let count = Locked(0)
        var control = "max-age=60"
        var vary: String?
        var gate: AsyncStream<Void>?

        var stub: Stub {
            Stub(.get, "/x") { request in
                count.change { $0 += 1 }
                if let gate { for await _ in gate { break } }
                var response = StubResponse.text("data of \(request.headers[.authorization] ?? "nobody")")
                response.headers[.cacheControl] = control
                response.headers[.vary] = vary
                return response
            }
        }
    }

    private func run(
        _ order: Order, _ site: Site, _ provider: (any CredentialProvider)?, isShared: Bool = false,
        store: any HTTPCacheStore = MemoryCacheStore(), _ body: (Fixture) async throws -> Void
    ) async throws {
        let middleware: [any Middleware] = order.parts.compactMap { part in
            switch part {
            case .cache: CacheMiddleware(store, configuration: .init(isShared: isShared))
            case .coalescing: CoalescingMiddleware()
            case .auth: provider.map { AuthMiddleware($0) }
            case .retry: RetryMiddleware()
            }
        }
        try await Fixture.run([site.stub], with: .client { $0.middleware = middleware }, body)
    }

    private func get(_ fixture: Fixture, _ header: String? = nil) async throws -> String {
        var request = Request<String>("x", serializer: .string)
        if let header { request.headers[.authorization] = header }
        return try await fixture.client.send(request)
    }

    /// Logs in as the named user; each renewal returns a new token.
    private func login(_ name: Locked<String>, _ fetches: Locked<Int> = Locked(0)) -> RefreshingCredentials {
        RefreshingCredentials { _ in
            fetches.change { $0 += 1 }
            return try .bearer("\(name.value) \(fetches.value)")
        }
    }

    @Test(arguments: Order.all, [nil, "Authorization"] as [String?])
    func aRenewedTokenIsTheSameUser(order: Order, vary: String?) async throws {
        let (site, fetches) = (Site(vary: vary), Locked(0))
        let tokens = login(Locked("ann"), fetches)
        try await run(order, site, tokens) { (fixture) async throws in
            #expect(try await get(fixture) == "data of Bearer ann 1")
            _ = try await tokens.refreshed(from: tokens.current)
            #expect(fetches.value == 2)
            #expect(try await get(fixture) == "data of Bearer ann 1")
            #expect(site.count.value == 1)
        }
    }

    @Test(arguments: Order.all, Setting.all)
    func responsesAreNotServedToTheNextLogin(order: Order, setting: Setting) async throws {
        let (site, name) = (Site(vary: setting.vary), Locked("ann"))
        let tokens = login(name)
        try await run(order, site, tokens, isShared: setting.isShared) { (fixture) async throws in
            #expect(try await get(fixture) == "data of Bearer ann 1")
            try await tokens.forget()
            name.change { $0 = "bob" }
            #expect(try await get(fixture) == "data of Bearer bob 2")
            try await tokens.forget()
            name.change { $0 = "ann" }
            // This is another login, even for the same user.
            #expect(try await get(fixture) == "data of Bearer ann 3")
        }
    }

    @Test(arguments: Order.all, [false, true]) func twoUsersAtOnceGetTheirOwn(order: Order, isShared: Bool) async throws
    {
        let gate = AsyncStream<Void>.makeStream()
        let site = Site(gate: gate.stream)
        try await run(order, site, TaskUser(), isShared: isShared) { (fixture) async throws in
            async let ann = Self.$user.withValue("ann") { try await get(fixture) }
            async let bob = Self.$user.withValue("bob") { try await get(fixture) }
            try await fixture.server.wait { requests, _ in requests.count == 2 }
            gate.continuation.yield()
            gate.continuation.yield()
            #expect(try await ann == "data of Bearer ann")
            #expect(try await bob == "data of Bearer bob")
            gate.continuation.finish()
            #expect(try await Self.$user.withValue("bob") { try await get(fixture) } == "data of Bearer bob")
            #expect(try await Self.$user.withValue("eve") { try await get(fixture) } == "data of Bearer eve")
            #expect(site.count.value == (isShared ? 4 : 3))
        }
    }

    @Test(arguments: Order.all, [false, true]) func aHeaderSetByHandIsAnIdentity(order: Order, isShared: Bool)
        async throws
    {
        let site = Site()
        try await run(order, site, nil, isShared: isShared) { (fixture) async throws in
            #expect(try await get(fixture, "Basic YW5u") == "data of Basic YW5u")
            #expect(try await get(fixture, "Basic Ym9i") == "data of Basic Ym9i")
            #expect(try await get(fixture) == "data of nobody")
            #expect(try await get(fixture, "Basic YW5u") == "data of Basic YW5u")
            #expect(site.count.value == (isShared ? 4 : 3))
        }
    }

    @Test(arguments: Order.all, [false, true]) func withoutCredentialsEverythingIsShared(order: Order, isShared: Bool)
        async throws
    {
        let site = Site()
        try await run(order, site, nil, isShared: isShared) { (fixture) async throws in
            for _ in 0..<3 { #expect(try await get(fixture) == "data of nobody") }
            #expect(site.count.value == 1)
        }
    }

    @Test(arguments: Order.all) func aSharedCacheSharesWhatIsPublic(order: Order) async throws {
        let (site, name) = (Site(control: "public, max-age=60"), Locked("ann"))
        let tokens = login(name)
        try await run(order, site, tokens, isShared: true) { (fixture) async throws in
            #expect(try await get(fixture) == "data of Bearer ann 1")
            try await tokens.forget()
            name.change { $0 = "bob" }
            #expect(try await get(fixture) == "data of Bearer ann 1")
            #expect(site.count.value == 1)
        }
    }

    @Test(arguments: Order.all) func aPrivateCacheKeepsEvenWhatIsPublicApart(order: Order) async throws {
        let (site, name) = (Site(control: "public, max-age=60"), Locked("ann"))
        let tokens = login(name)
        try await run(order, site, tokens) { (fixture) async throws in
            #expect(try await get(fixture) == "data of Bearer ann 1")
            try await tokens.forget()
            name.change { $0 = "bob" }
            #expect(try await get(fixture) == "data of Bearer bob 2")
        }
    }

    @Test(arguments: Order.all) func requestsMarkedForEveryoneShareAResponse(order: Order) async throws {
        let (site, name) = (Site(), Locked("ann"))
        let tokens = login(name)
        try await run(order, site, tokens) { (fixture) async throws in
            var request = Request<String>("x", serializer: .string)
            request.options.identity = .everyone
            #expect(try await fixture.client.send(request) == "data of Bearer ann 1")
            try await tokens.forget()
            name.change { $0 = "bob" }
            #expect(try await fixture.client.send(request) == "data of Bearer ann 1")
            #expect(site.count.value == 1)
        }
    }

    @Test func aHitNeedsNoToken() async throws {
        let (site, fetches) = (Site(), Locked(0))
        let clock = TestClock()
        let tokens = RefreshingCredentials(configuration: .init(clock: clock.netClock)) { _ in
            fetches.change { $0 += 1 }
            return try .bearer("t", expires: clock.date.addingTimeInterval(1))
        }
        try await run(Order(parts: [.cache, .auth]), site, tokens) { (fixture) async throws in
            _ = try await get(fixture)
            await clock.advance(by: .seconds(10))
            _ = try await get(fixture)
            #expect(fetches.value == 1)
            #expect(site.count.value == 1)
        }
    }

    /// A custom middleware may add a credential that the cache doesn't know about.
    fileprivate struct Signing: Middleware {
        let name: Locked<String>
        var source: CallIdentity?

        var identitySource: (any IdentitySource)? { source == nil ? nil : self }

        func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            var request = request
            let field = HTTPField(name: .authorization, value: "Signature \(name.value)")
            request.head.headerFields[.authorization] = field.value
            return try await next(request, source == nil ? context : context.accounting(for: field))
        }
    }

    @Test func credentialsThatNobodyAccountsForAreNeitherKeptNorShared() async throws {
        let (site, name) = (Site(), Locked("ann"))
        let middleware: [any Middleware] = [CacheMiddleware(), CoalescingMiddleware(), Signing(name: name)]
        try await Fixture.run([site.stub], with: .client { $0.middleware = middleware }) { (fixture) async throws in
            #expect(try await get(fixture) == "data of Signature ann")
            name.change { $0 = "bob" }
            #expect(try await get(fixture) == "data of Signature bob")
        }
    }

    @Test func aSourceOfOnesOwnMakesThemKept() async throws {
        let (site, name) = (Site(), Locked("ann"))
        let middleware: [any Middleware] = [
            CacheMiddleware(), CoalescingMiddleware(), Signing(name: name, source: .named("ann")),
        ]
        try await Fixture.run([site.stub], with: .client { $0.middleware = middleware }) { (fixture) async throws in
            #expect(try await get(fixture) == "data of Signature ann")
            #expect(try await get(fixture) == "data of Signature ann")
            #expect(site.count.value == 1)
        }
    }

    @Test func responseIsNotStoredIfTheCredentialChangesDuringTheCall() async throws {
        let (site, name) = (Site(), Locked("ann"))
        struct Tokens: CredentialProvider {
            let name: Locked<String>
            func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer(name.value) }
        }
        /// Changes the user between the cache lookup and the credential.
        struct Switching: Middleware {
            let body: @Sendable () async throws -> Void
            func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws
                -> StreamedResponse
            {
                try await body()
                return try await next(request, context)
            }
        }
        let switches = Locked(true)
        let switching = Switching {
            guard switches.value else { return }
            switches.change { $0 = false }
            name.change { $0 = "bob" }
        }
        let middleware: [any Middleware] = [CacheMiddleware(), switching, AuthMiddleware(Tokens(name: name))]
        try await Fixture.run([site.stub], with: .client { $0.middleware = middleware }) { (fixture) async throws in
            #expect(try await get(fixture) == "data of Bearer bob")
            #expect(try await get(fixture) == "data of Bearer bob")
            #expect(site.count.value == 2)
        }
    }
}

extension CallIdentityOrderTests.Signing: IdentitySource {
    func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        source ?? .everyone
    }
}
#endif
