#if Server
@testable import NetHTTP
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import TestSupport

/// Counts the requests of a server, and responds to them with headers and the number as the body.
struct CountedServer {
    /// A stub whose responses have these headers, and their number as the body.
    static func stub(
        _ path: PathTemplate = "/x", status: HTTPResponse.Status = .ok,
        _ headers: @escaping @Sendable (Int, StubRequest) -> HTTPFields
    ) -> Stub {
        let count = Locked(0)
        return Stub(nil, path) { request in
            count.change { $0 += 1 }
            let number = count.value
            let answer = headers(number, request)
            let tag = answer[.eTag]
            if let tag, request.headers[.ifNoneMatch] == tag {
                return StubResponse(status: .notModified, headers: answer)
            }
            return StubResponse(status: status, headers: answer, body: .bytes("\(number)".utf8))
        }
    }
}

extension Fixture {
    /// Runs `body` with a cache in front of a server, in virtual time.
    static func cached(
        _ stubs: [Stub], _ store: any HTTPCacheStore = MemoryCacheStore(),
        configuration: CacheMiddleware.Configuration = .init(), listeners: [any ActivityListener] = [],
        outside: [any Middleware] = [], _ body: (Fixture, TestClock) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let cache = CacheMiddleware(store, configuration: configuration)
        let setup = Setup.client {
            $0.middleware = outside + [cache]
            $0.clock = clock.netClock
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.listeners = listeners
        }
        try await run(stubs, with: setup) { try await body($0, clock) }
    }

    /// Returns the response to a GET.
    func get(
        _ path: String = "/x", _ policy: CachePolicy = .default, _ headers: HTTPFields = [:]
    ) async throws -> Response<Bytes> {
        var request = Request<Bytes>(Path(path), serializer: .bytes)
        request.headers = headers
        request.options.cachePolicy = policy
        return try await client.raw(request)
    }

    func text(_ path: String = "/x", _ policy: CachePolicy = .default, _ headers: HTTPFields = [:]) async throws
        -> String
    {
        String(decoding: try await get(path, policy, headers).value, as: UTF8.self)
    }
}

extension EventLog {
    var decisions: [String] { all.compactMap { $0.cacheDecision?.description } }
}
#endif
