#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

/// A credential that expires while its request waits within the authentication middleware.
@Suite(.timeLimit(.minutes(2))) struct ExpiredCredentialTests {
    private let get = Request<String>("x", serializer: .string)

    private func tokens(_ clock: TestClock, life: TimeInterval? = 30) -> NumberedTokens {
        NumberedTokens(clock: clock, life: life)
    }

    private func sent(_ transport: MockTransport) -> [String?] {
        transport.recordedRequests.map { $0.headers[.authorization] }
    }

    private let busy = StubResponse.status(.serviceUnavailable).header(.retryAfter, "45")

    @Test func aTokenThatEndedDuringARetryAfterWaitIsFetchedAnew() async throws {
        let clock = TestClock()
        let tokens = tokens(clock)
        let transport = MockTransport([Stub(.get, "/x", busy).times(2), Stub(.get, "/x", .text("ok"))])
        let client = virtual(clock, transport, AuthMiddleware(tokens), RetryMiddleware())
        #expect(try await clock.run { try await client.send(get) } == "ok")
        #expect(sent(transport) == ["Bearer 1", "Bearer 2", "Bearer 3"])
        #expect(tokens.count == 3)
    }

    @Test func aTokenThatWasFetchedAnewIsUsedUntilItsOwnEnd() async throws {
        let clock = TestClock()
        let tokens = tokens(clock)
        let transport = MockTransport([
            Stub(.get, "/x", busy).times(1), Stub(.get, "/x", busy.header(.retryAfter, "20")).times(1),
            Stub(.get, "/x", .text("ok")),
        ])
        let client = virtual(clock, transport, AuthMiddleware(tokens), RetryMiddleware())
        #expect(try await clock.run { try await client.send(get) } == "ok")
        #expect(sent(transport) == ["Bearer 1", "Bearer 2", "Bearer 2"])
        #expect(tokens.count == 2)
    }

    @Test func credentialsThatRenewThemselvesAreAskedAgainToo() async throws {
        let clock = TestClock()
        let count = Locked(0)
        let tokens = RefreshingCredentials(configuration: .init(renewsAhead: .zero, clock: clock.netClock)) { _ in
            count.change { $0 += 1 }
            return try .bearer("\(count.value)", expires: clock.date.addingTimeInterval(30))
        }
        let transport = MockTransport([Stub(.get, "/x", busy).times(1), Stub(.get, "/x", .text("ok"))])
        let client = virtual(clock, transport, AuthMiddleware(tokens), RetryMiddleware())
        let text = Task { try await client.send(get) }
        while transport.recordedRequests.isEmpty, !Task.isCancelled { await Task.yield() }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(45))
        #expect(try await text.value == "ok")
        #expect(sent(transport) == ["Bearer 1", "Bearer 2"])
    }

    @Test func aTokenThatIsStillGoodStays() async throws {
        for life in [60, nil] as [TimeInterval?] {
            let clock = TestClock()
            let tokens = tokens(clock, life: life)
            let transport = MockTransport([Stub(.get, "/x", busy).times(1), Stub(.get, "/x", .text("ok"))])
            let client = virtual(clock, transport, AuthMiddleware(tokens), RetryMiddleware())
            #expect(try await clock.run { try await client.send(get) } == "ok")
            #expect(sent(transport) == ["Bearer 1", "Bearer 1"])
            #expect(tokens.count == 1)
        }
    }

    /// The same applies to a queue, and to any other wait.
    @Test func aTokenThatEndedInALineIsFetchedAnew() async throws {
        struct Slow: Middleware {
            func intercept(
                _ request: PreparedRequest, context: CallContext, next: Next
            ) async throws -> StreamedResponse {
                try await context.pause(for: .seconds(40))
                return try await next(request, context)
            }
        }
        let clock = TestClock()
        let tokens = tokens(clock)
        let transport = MockTransport([Stub(.get, "/x", .text("ok"))])
        let client = virtual(clock, transport, AuthMiddleware(tokens), Slow())
        #expect(try await clock.run { try await client.send(get) } == "ok")
        #expect(sent(transport) == ["Bearer 2"])
    }

    @Test func aRefusalOfTheLaterTokenRenewsThatOne() async throws {
        let clock = TestClock()
        let tokens = tokens(clock)
        let transport = MockTransport([
            Stub(.get, "/x", busy).times(1), Stub(.get, "/x", .status(.unauthorized)).times(1),
            Stub(.get, "/x", .text("ok")),
        ])
        let client = virtual(clock, transport, AuthMiddleware(tokens), RetryMiddleware())
        #expect(try await clock.run { try await client.send(get) } == "ok")
        #expect(sent(transport) == ["Bearer 1", "Bearer 2", "Bearer 3"])
        #expect(tokens.count == 3)
    }

    @Test func aFailingRenewalInBetweenEndsTheCallWithItsError() async throws {
        let clock = TestClock()
        let tokens = NumberedTokens(clock: clock, life: 30, last: 1)
        let transport = MockTransport([Stub(.get, "/x", busy)])
        let client = virtual(clock, transport, AuthMiddleware(tokens), RetryMiddleware())
        let error = try await clock.run { try await failure { try await client.send(get) } }
        #expect(error.code == .tls, "\(error)")
        #expect(error.url == "http://mock.test/x", "\(error)")
        #expect(sent(transport) == ["Bearer 1"])
    }

    @Test func aFieldThatAMiddlewareChangedIsItsOwn() async throws {
        struct Other: Middleware {
            func intercept(
                _ request: PreparedRequest, context: CallContext, next: Next
            ) async throws -> StreamedResponse {
                var request = request
                request.head.headerFields[.authorization] = "Other"
                return try await next(request, context)
            }
        }
        let clock = TestClock()
        let tokens = tokens(clock)
        let transport = MockTransport([Stub(.get, "/x", busy).times(1), Stub(.get, "/x", .text("ok"))])
        let client = virtual(clock, transport, AuthMiddleware(tokens), RetryMiddleware(), Other())
        #expect(try await clock.run { try await client.send(get) } == "ok")
        #expect(sent(transport) == ["Other", "Other"])
    }
}

/// Provides numbered tokens, each until it expires.
private final class NumberedTokens: CredentialProvider {
    private let clock: TestClock
    private let life: TimeInterval?
    private let last: Int
    private let state = Locked<(count: Int, current: Credential?)>((0, nil))

    /// More than `last` tokens are an error.
    init(clock: TestClock, life: TimeInterval?, last: Int = .max) {
        (self.clock, self.life, self.last) = (clock, life, last)
    }

    var count: Int { state.value.count }

    func credential(for request: PreparedRequest) async throws -> Credential? {
        if let current = state.value.current, !current.expires(of: clock.date) { return current }
        return try await refreshed(from: nil, for: request)
    }

    func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
        guard count < last else { throw NetError(.tls, phase: .connecting, message: "no certificate") }
        let token = try Credential.bearer("\(count + 1)", expires: life.map { clock.date.addingTimeInterval($0) })
        state.change { $0 = ($0.count + 1, token) }
        return token
    }
}
#endif
