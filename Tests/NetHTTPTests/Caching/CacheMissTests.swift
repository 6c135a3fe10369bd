#if Server
@testable import NetHTTP
@testable import ClientTestSupport
import HTTPTypes
import Logging
import NetCore
import NetTestServer
import NetTesting
import Testing

/// The error if a request must not be sent and the cache has nothing to serve.
@Suite(.timeLimit(.minutes(2))) struct CacheMissTests {
    private func request(
        _ policy: CachePolicy = .default, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
    ) -> Request<String> {
        var request = Request<String>("x", method: method, serializer: .string)
        request.headers = headers
        request.options.cachePolicy = policy
        return request
    }

    private func stub(_ headers: HTTPFields = [.cacheControl: "max-age=10"]) -> Stub {
        CountedServer.stub { _, _ in headers }
    }

    @Test func aMissSaysThatNothingWasSentAndWhichPolicyForbadeIt() async throws {
        let log = EventLog()
        try await Fixture.cached([stub()], listeners: [log]) { (fixture, clock) async throws in
            let client = fixture.client
            let cases: [(CachePolicy, HTTPFields, String)] = [
                (.onlyIfCached, [:], ".onlyIfCached"), (.offline, [:], ".offline"),
                (.default, [.cacheControl: "only-if-cached"], "only-if-cached"),
            ]
            for (policy, fields, name) in cases {
                let error = try await failure { try await client.send(request(policy, .get, fields)) }
                #expect(error.code == .notCached)
                #expect(error.isNotCached)
                #expect(error.message.contains("nothing was sent"), "\(error)")
                #expect(error.message.contains(name), "\(error)")
                #expect(error.message.contains("nothing is stored"), "\(error)")
                #expect(!error.message.contains("server responded"), "\(error)")
                #expect(error.status == nil, "\(error)")
                #expect(error.url?.hasSuffix("/x") == true)
            }
            #expect(fixture.server.requests.isEmpty)
            #expect(log.names.filter { $0 == "failed" }.count == 3)
            #expect(!log.names.contains("attemptEnded"))
            #expect(!log.names.contains("rejected"))
        }
    }

    @Test func aMissSaysWhyWhatIsStoredDoesNotServe() async throws {
        try await Fixture.cached([stub([.cacheControl: "max-age=10", .vary: "Accept-Language"])]) {
            (fixture, clock) async throws in
            try await fixture.client.send(request(.default, .get, [.acceptLanguage: "en"]))
            let other = try await failure {
                try await fixture.client.send(request(.offline, .get, [.acceptLanguage: "fr"]))
            }
            #expect(other.message.contains("Vary"), "\(other)")
            await clock.advance(by: .seconds(60))
            let stale = try await failure {
                try await fixture.client.send(request(.onlyIfCached, .get, [.acceptLanguage: "en"]))
            }
            #expect(stale.message.contains("stale"), "\(stale)")
            #expect(stale.message.contains(".offline"), "\(stale)")
            #expect(fixture.server.requests.count == 1)
        }
    }

    /// A request that a cache never serves must not be sent either.
    @Test func nothingIsSentForWhatACacheNeverServes() async throws {
        try await Fixture.cached([stub()]) { (fixture, _) async throws in
            for policy in [CachePolicy.onlyIfCached, .offline] {
                let error = try await failure { try await fixture.client.send(request(policy, .post)) }
                #expect(error.message.contains("POST"), "\(error)")
            }
            #expect(fixture.server.requests.isEmpty)
        }
    }

    @Test func aRequestThatAcceptsEveryStatusGetsThe504() async throws {
        try await Fixture.cached([stub()]) { (fixture, _) async throws in
            let response = try await fixture.client.raw(request(.offline))
            #expect(response.status == .gatewayTimeout)
            #expect(response.value.isEmpty)
            #expect(response.head[.cacheStatus] == "swift-net; detail=onlyIfCached")
            #expect(fixture.server.requests.isEmpty)
        }
    }

    /// A 504 from the server itself is returned as its response.
    @Test func aServersOwn504IsTheServers() async throws {
        let stub = Stub(.get, "/x", .status(.gatewayTimeout))
        try await Fixture.cached([stub]) { (fixture, _) async throws in
            let error = try await failure { try await fixture.client.send(request()) }
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == 504)
            #expect(error.message.contains("the server responded with status 504"))
        }
    }

    @Test func aDeclaredFailureIsTheServersAlone() async throws {
        try await Fixture.cached([stub()]) { (fixture, _) async throws in
            let error = try await failure(as: String.self) {
                try await fixture.client.send(request(.offline).rejected(as: String.self))
            }
            #expect(error.code.rawValue == "notCached")
        }
    }

    @Test func neitherRetriesNorBreakersBlameTheServerForAMiss() async throws {
        let log = EventLog()
        let breaker = CircuitBreakerMiddleware(.init(window: 1, minimumCalls: 1))
        try await Fixture.cached([stub()], listeners: [log], outside: [RetryMiddleware(), breaker]) {
            (fixture, clock) async throws in
            let error = try await clock.run { try await failure { try await fixture.client.send(request(.offline)) } }
            #expect(error.code.rawValue == "notCached")
            #expect(error.attempt == 1)
            #expect(!log.names.contains("retrying"))
            #expect(try await fixture.client.send(request()) == "1")
        }
    }

    @Test func aMissIsLoggedAsOne() async throws {
        let sink = LogSink()
        try await Fixture.cached([stub()], outside: [LoggingMiddleware(logger: sink.logger())]) {
            (fixture, _) async throws in
            _ = try? await fixture.client.send(request(.offline))
        }
        #expect(sink.lines.last?.level == .warning)
        #expect(sink.lines.last?.metadata["error"] == "notCached")
        #expect(sink.lines.last?.message.contains("nothing was sent") == true)
    }
}
#endif
