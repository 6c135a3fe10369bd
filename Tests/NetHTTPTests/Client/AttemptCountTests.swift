#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The numbers of a call's attempts: 1, 2, 3 … in events, traces, errors and responses, for every cause of another
/// attempt.
@Suite(.timeLimit(.minutes(2))) struct AttemptCountTests {
    /// A response after which the client sends again.
    enum Step: String, CaseIterable {
        /// 503: the retry policy allows one retry per call.
        case retry
        /// A status that rejects the API key, which is then renewed.
        case renewal
        /// 401 with a challenge of Digest.
        case digest
        case redirect
    }

    /// The last response.
    enum Final: String, CaseIterable {
        case value, rejected, undeclared
        /// The connection ends; if a retry remains, it repeats that once.
        case lost
    }

    struct Case: CustomTestStringConvertible {
        let steps: [Step]
        let final: Final

        var testDescription: String { (steps.map(\.rawValue) + [final.rawValue]).joined(separator: ", ") }

        /// The number of requests that the server receives.
        var attempts: Int { steps.count + (final == .lost && !steps.contains(.retry) ? 2 : 1) }

        static let all = orders(of: Step.allCases).flatMap { steps in
            Final.allCases.map { Case(steps: steps, final: $0) }
        }

        /// Returns every subset of the steps in every order.
        private static func orders(of steps: [Step]) -> [[Step]] {
            [[]] + steps.flatMap { first in orders(of: steps.filter { $0 != first }).map { [first] + $0 } }
        }
    }

    /// Responds to the requests of one call in order.
    private final class Script: Sendable {
        private let steps: Locked<[Step]>
        private let final: Final

        init(_ test: Case) { (steps, final) = (Locked(test.steps), test.final) }

        func answer() -> StubResponse {
            var next: Step?
            steps.change { next = $0.isEmpty ? nil : $0.removeFirst() }
            switch next {
            case .retry: return .status(.serviceUnavailable)
            case .renewal: return .status(.init(code: 419))
            case .digest:
                return .status(.unauthorized)
                    .header(.wwwAuthenticate, #"Digest realm="r", nonce="n", algorithm=SHA-256, qop="auth""#)
            case .redirect: return .status(.temporaryRedirect).header(.location, "/x")
            case nil: return last
            }
        }

        private var last: StubResponse {
            switch final {
            case .value: .json(["name": "Ann"])
            case .rejected: .json(["reason": "gone"], status: .gone)
            case .undeclared: .text("no", status: .conflict)
            case .lost: .dropped()
            }
        }
    }

    /// Keys that are rejected and renewed.
    private struct Keys: CredentialProvider {
        func credential(for request: PreparedRequest) async throws -> Credential? { try .apiKey("old") }
        func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
            try .apiKey("new")
        }
    }

    private struct Get: APIRequest {
        struct Response: Decodable, Sendable { let name: String }
        struct Failure: Decodable, Sendable { let reason: String }
        var path: Path { "x" }
    }

    private func setup(_ log: EventLog) -> Fixture.Setup {
        .client { configuration in
            configuration.middleware = [
                AuthMiddleware(Keys(), challenges: [419]),
                RetryMiddleware(RetryPolicy(maximumAttempts: 2, backoff: .constant(.zero))),
                DigestMiddleware(user: "ann", password: "geheim"),
            ]
            configuration.listeners = [log]
        }
    }

    /// Sends once; returns the number of attempts in the response or the error.
    private func count(_ client: HTTPClient, _ final: Final) async throws -> Int? {
        do {
            let response = try await client.response(Get())
            #expect(final == .value)
            #expect(response.attempts == response.call.attempt)
            return response.attempts
        } catch {
            switch error {
            case .rejected(_, let response):
                #expect(final == .rejected)
                return response.call?.attempt
            case .failed(let error):
                #expect(error.code == (final == .lost ? .connectionLost : .unacceptableStatus), "\(error)")
                return error.attempt
            }
        }
    }

    @Test(arguments: Case.all) func theyCountUp(_ test: Case) async throws {
        let log = EventLog()
        let script = Script(test)
        try await Fixture.run([Stub(.get, "/x") { _ in script.answer() }], with: setup(log)) { fixture in
            var traces = fixture.client.traces.makeAsyncIterator()
            #expect(try await count(fixture.client, test.final) == test.attempts)
            // libcurl itself repeats a request if a reused connection ends without a byte of a response.
            let received = fixture.server.requests.count
            #expect(received == test.attempts || test.final == .lost && received == test.attempts + 1)
            let numbers = Array(1...test.attempts)
            #expect(log.attempts.map(\.number) == numbers)
            let trace = try #require(await traces.next())
            #expect(trace.attempts.map(\.number) == numbers)
            #expect(trace.redirects == test.steps.count { $0 == .redirect })
            #expect(trace.retries == test.attempts - 1 - trace.redirects)
            // Each retry was announced with the attempt number it then had.
            let announced = log.all.compactMap(\.retryAttempt)
            #expect(announced == trace.attempts.filter { $0.retry != nil }.map(\.number))
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func requestsRepeatedByMiddlewareCountAsAttempts() async throws {
        struct Twice: Middleware {
            func intercept(
                _ request: PreparedRequest, context: CallContext, next: Next
            ) async throws -> StreamedResponse {
                _ = try await next(request, context)
                return try await next(request, context)
            }
        }
        let log = EventLog()
        let setup = Fixture.Setup.client { configuration in
            configuration.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.zero))), Twice()]
            configuration.listeners = [log]
        }
        let busy = Stub(.get, "/x", .status(.serviceUnavailable)).times(2)
        try await Fixture.run([busy, Stub(.get, "/x", .text("hello"))], with: setup) { fixture in
            let response = try await fixture.client.response(Request<String>("x"))
            #expect(response.attempts == 4)
            #expect(log.attempts.map(\.number) == [1, 2, 3, 4])
            #expect(log.all.compactMap(\.retryAttempt) == [3])
        }
    }

    @Test func aPauseThatIsCancelledIsNoAttempt() async throws {
        let clock = TestClock()
        let log = EventLog()
        let client = HTTPClient(
            baseURL: "http://mock.test",
            transport: MockTransport([Stub(.get, "/x", .status(.serviceUnavailable).header(.retryAfter, "30"))])
        ) {
            // Without its own timeout, the call sleeps only for the pause.
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
            $0.middleware = [RetryMiddleware()]
            $0.listeners = [log]
            $0.clock = clock.netClock
        }
        let call = Task { try await client.send(Request<String>("x")) }
        try await clock.waitForSleepers(count: 1)
        client.cancelAll()
        let error = try await failure { try await call.value }
        #expect(error.isCancellation)
        #expect(error.attempt == 1)
        #expect(log.attempts.map(\.number) == [1])
        #expect(log.all.compactMap(\.retryAttempt) == [2])
    }

    @Test func theCredentialIsAskedForAtEachAttempt() async throws {
        final class Rotating: CredentialProvider {
            let asked = Locked(0)
            func credential(for request: PreparedRequest) async throws -> Credential? {
                var number = 0
                asked.change { count in
                    count += 1
                    number = count
                }
                return number == 2 ? nil : try .bearer("t\(number)")
            }
        }
        let tokens = Rotating()
        let setup = Fixture.Setup.client { configuration in
            configuration.middleware = [
                AuthMiddleware(tokens), RetryMiddleware(RetryPolicy(maximumAttempts: 3, backoff: .constant(.zero))),
            ]
        }
        try await Fixture.run([Stub(.get, "/x", .status(.serviceUnavailable))], with: setup) { fixture in
            let error = try await failure { try await fixture.client.send(Request<String>("x")) }
            #expect(error.attempt == 3)
            let sent = fixture.server.requests.map { $0.headers[.authorization] }
            #expect(sent == ["Bearer t1", nil, "Bearer t3"])
        }
    }
}

extension EventLog {
    /// The finished attempts, in order.
    fileprivate var attempts: [ActivityEvent.Attempt] {
        all.compactMap { if case .attemptEnded(let attempt) = $0.kind { attempt } else { nil } }
    }
}
#endif
