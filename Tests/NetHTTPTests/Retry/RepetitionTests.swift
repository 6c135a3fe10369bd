#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct RepetitionTests {
    private let fast = RetryPolicy(backoff: .constant(.milliseconds(1)))

    @Test func aKeyMakesAPostRepeatableAndIsTheSameForAllAttempts() async throws {
        let stubs = [Stub(.post, "/x", .status(.serviceUnavailable)).times(1), Stub(.post, "/x", .text("ok"))]
        let setup = Fixture.Setup.client { $0.middleware = [IdempotencyKeyMiddleware(), RetryMiddleware(fast)] }
        try await Fixture.run(stubs, with: setup) { fixture in
            let post = Request<String>("x", method: .post, body: .text("order"), serializer: .string)
            let text4 = try await fixture.client.send(post)
            #expect(text4 == "ok")
            let name = HTTPField.Name("Idempotency-Key")
            let keys = fixture.server.requests.map { $0.headers[name] }
            try #require(keys.count == 2)
            #expect(keys[0] == keys[1])
            #expect(keys[0]?.isEmpty == false)
            _ = try? await fixture.client.send(Request<String>("x", serializer: .string))
            #expect(fixture.server.requests.last?.headers[name] == nil)
        }
    }

    @Test func aBudgetThatIsSpentEndsTheRepetitions() async throws {
        let budget = RetryBudget(ratio: 0.5, reserve: 3)
        let setup = Fixture.Setup.client { $0.middleware = [RetryMiddleware(fast, budget: budget)] }
        try await Fixture.run([Stub(.get, "/x", .status(.serviceUnavailable))], with: setup) { fixture in
            for _ in 0..<6 { _ = try? await fixture.client.send(Request<String>("x", serializer: .string)) }
            // Six calls, a reserve of three retries, and one more for each two calls.
            #expect(fixture.server.requests.count == 12)
            #expect(budget.available == 0)
        }
    }
}
#endif
