import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

@testable import ClientTestSupport

/// Two processes that use one folder of a disk cache, one after the other. `scripts/conformance identity` runs both.
@Suite(.timeLimit(.minutes(10))) struct IdentityProcessTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let phase = environment["NET_IDENTITY_PHASE"]

    private func each(_ name: String, _ body: (IdentityWorld) async throws -> Void) async throws {
        let folder = try #require(Self.environment["NET_IDENTITY_FOLDER"])
        for (index, order) in IdentityOrder.all.enumerated() {
            await PeerVerdict.of("identity", "\(name), \(Self.phase ?? "") process, \(order)") {
                let store = DiskCacheStore(folder: "\(folder)/\(name)-\(index)")
                try await body(IdentityWorld(order: order, store: store, site: IdentitySite()))
                return true
            }
        }
    }

    /// The first process is ann's, the second one bob's, then nobody's.
    private func users(_ name: String, _ make: (IdentityWorld, String?) async throws -> HTTPClient) async throws {
        try await each(name) { world in
            for user in Self.phase == "first" ? ["ann"] : ["bob", nil] {
                try await world.expect(user ?? "nobody", from: try await make(world, user))
            }
        }
    }

    @Test(.enabled(if: phase != nil, "scripts/conformance identity runs it"))
    func nobodyGetsWhatAnotherProcessHasStored() async throws {
        try await users("a certificate") { world, user in
            world.client([world.cache(), CoalescingMiddleware()], over: IdentitySite(certificate: user))
        }
        try await users("a ticket") { world, user in
            world.client([world.cache(), CoalescingMiddleware()], over: IdentitySite(ticket: user))
        }
        try await users("a token") { world, user in
            world.client(world.chain([], user.map { [AuthMiddleware(IdentityUser($0).tokens)] } ?? []))
        }
        try await users("a name") { world, user in
            world.client(world.chain([], user.map { [AuthMiddleware(IdentityUser($0, named: true).tokens)] } ?? []))
        }
        try await users("a cookie") { world, user in
            let client = world.client(world.chain([CookieMiddleware()], []))
            if let user {
                let options = RequestOptions { $0.cachePolicy = .noStore }
                _ = try await client.send(Request<String>("login/\(user)", options: options, serializer: .string))
            }
            return client
        }
        try await users("a header of an app's own") { world, user in
            world.client(world.chain([], user.map { [Naming(user: $0)] } ?? []))
        }
    }

    private struct Naming: Middleware {
        let user: String

        func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            var request = request
            request.head.headerFields["X-User"] = user
            return try await next(request, context)
        }
    }

    @Test(.enabled(if: phase != nil, "scripts/conformance identity runs it"))
    func aNameAndPublicDataOutliveTheProcess() async throws {
        try await each("the same name") { world in
            let user = IdentityUser("ann", named: true)
            let client = world.client(world.chain([], [AuthMiddleware(user.tokens)]))
            try await world.expect("ann", from: client)
            try world.expect(requests: Self.phase == "first" ? 1 : 0)
        }
        try await each("a certificate with a name") { world in
            let client = world.client([world.cache()], over: IdentitySite(certificate: "ann"))
            let options = RequestOptions { $0.identity = .named("ann") }
            let response = try await client.response(Request<String>("me", options: options, serializer: .string))
            let isHit = response.head["Cache-Status"]?.contains("hit") == true
            guard response.value == "data of ann", isHit == (Self.phase == "second") else {
                throw IdentityWorld.Mismatch(description: "\(response.value), \(response.head["Cache-Status"] ?? "")")
            }
        }
        try await each("nobody's data") { world in
            let client = world.client([world.cache()])
            try await world.expect("nobody", from: client)
            try world.expect(requests: Self.phase == "first" ? 1 : 0)
        }
    }
}
