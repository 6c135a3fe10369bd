import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// The store of a case's cache.
enum IdentityStore: String, Sendable, CaseIterable { case memory, disk }

/// The surroundings of a case: an order, a store, a clock and a server.
struct IdentityWorld: Sendable {
    let order: IdentityOrder
    let store: any HTTPCacheStore
    let site: IdentitySite
    let clock = TestClock()

    /// A case that turned out otherwise.
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a case in each order and with each store, and reports each as a verdict.
    static func each(
        _ name: String, stores: [IdentityStore] = IdentityStore.allCases,
        site: @Sendable () -> IdentitySite = { IdentitySite() },
        sourceLocation: SourceLocation = #_sourceLocation, _ body: (IdentityWorld) async throws -> Void
    ) async {
        for order in IdentityOrder.all {
            for store in stores {
                await PeerVerdict.of("identity", "\(name), \(order), \(store)", sourceLocation: sourceLocation) {
                    try await TemporaryFolder.with { folder in
                        let kept: any HTTPCacheStore =
                            store == .memory ? MemoryCacheStore() : DiskCacheStore(folder: folder.path("cache"))
                        try await body(IdentityWorld(order: order, store: kept, site: site()))
                    }
                    return true
                }
            }
        }
    }

    /// Returns a client with middleware that is given in the documented order.
    func client(_ middleware: [any Middleware], over transport: IdentitySite? = nil) -> HTTPClient {
        HTTPClient(baseURL: "https://site.test", transport: transport ?? site) {
            $0.middleware = order.arrange(middleware)
            $0.timeouts = Timeouts(firstByte: nil, stall: nil, total: nil)
            $0.clock = clock.netClock
            $0.random = SeededRandom(seed: 1).netRandom
        }
    }

    func cache() -> CacheMiddleware { CacheMiddleware(store) }

    /// The middleware of most cases, in the documented order, without the one that knows the user.
    func chain(_ before: [any Middleware] = [], _ after: [any Middleware]) -> [any Middleware] {
        before + [cache(), CoalescingMiddleware()] + after + [RetryMiddleware(), CompressionMiddleware()]
    }

    /// Throws unless a client gets this user's data.
    func expect(_ user: String, from client: HTTPClient, _ path: String = "me") async throws {
        let text = try await client.send(Request<String>(url: "https://site.test/\(path)", serializer: .string))
        guard text == "data of \(user)" else { throw Mismatch(description: "\(text) instead of data of \(user)") }
    }

    func expect(requests: Int) throws {
        guard site.reads.value == requests else {
            throw Mismatch(description: "\(site.reads.value) requests instead of \(requests)")
        }
    }

    func expect(writes: [String]) throws {
        guard site.writes.value == writes else {
            throw Mismatch(description: "written by \(site.writes.value) instead of \(writes)")
        }
    }

    /// A write that may be repeated.
    static let pay = Request<String>(
        "pay", method: .post, options: RequestOptions { $0.retry = .always }, serializer: .string)

    /// Begins a call, and changes the user while it waits on the clock.
    ///
    /// - Parameter goesOn: Nil if the call must end with `.authentication` and write nothing; else the user that must
    ///   have written.
    func change(
        during request: Request<String> = pay, of client: HTTPClient, sleepers: Int = 1, goesOnAs user: String? = nil,
        _ change: () async throws -> Void
    ) async throws {
        let before = site.writes.value
        let call = Task { try await client.send(request) }
        try await clock.waitForSleepers(count: sleepers)
        try await change()
        await clock.advance(by: .seconds(30))
        let result = await call.result
        switch (result, user) {
        case (.success(let text), let user?):
            guard text == "data of \(user)" else { throw Mismatch(description: "\(text) instead of \(user)'s") }
        case (.failure(let error), nil):
            let error = (error as? APIError<Never>)?.netError
            guard error?.code == .authentication, error?.message.contains("login") == true else {
                throw Mismatch(description: "\(String(describing: error)) instead of .authentication")
            }
            try expect(writes: before)
        case (.success(let text), nil): throw Mismatch(description: "\(text) instead of an error")
        case (.failure(let error), _?): throw error
        }
    }
}

/// A user that logs in and out.
final class IdentityUser: Sendable {
    private let name: Locked<String>
    private let count = Locked(0)
    let tokens: RefreshingCredentials

    /// - Parameter named: True for a login with a name.
    init(_ name: String, named: Bool = false) {
        let (holder, count) = (Locked(name), count)
        self.name = holder
        tokens = RefreshingCredentials(configuration: .init(identity: named ? name : nil)) { _ in
            let number = count.change { count in
                count += 1
                return count
            }
            return try .bearer("\(holder.value)-\(number)")
        }
    }

    /// The number of tokens that were fetched.
    var fetches: Int { count.value }

    func renew() async throws { _ = try await tokens.refreshed(from: tokens.current, for: Self.request) }

    private static let request = PreparedRequest(
        head: HTTPRequest(method: .get, scheme: "https", authority: "site.test", path: "/"))

    /// Logs out, and in as another user.
    func become(_ other: String, named: Bool = false) async throws {
        try await tokens.forget(next: named ? other : nil)
        name.change { $0 = other }
    }
}
