import Foundation
import NetCore
import Testing

@testable import NetStore

/// The table of ``OutboxDecision``.
struct OutboxDecisionTests {
    private static let date = Date(timeIntervalSince1970: 1000)
    private static let now: Int64 = 1_000_000_000

    private var policy = Outbox.defaultRetryPolicy

    private func decide(
        _ result: RetryDecision.Result, attempts: Int = 1, refusals: Int = 0, accepts: StatusValidation = .success,
        expiresAt: Int64? = nil
    ) -> OutboxDecision {
        OutboxDecision.decide(
            result,
            .init(attempts: attempts, refusals: refusals, accepted: AcceptedStatuses(accepts), expiresAt: expiresAt),
            policy: policy, date: Self.date, random: 0.5)
    }

    private func status(_ status: Int, _ retryAfter: String? = nil) -> RetryDecision.Result {
        .response(status: status, retryAfter: retryAfter)
    }

    private func error(_ code: NetError.Code) -> RetryDecision.Result {
        .failure(NetError(code, phase: .connecting, message: "no"))
    }

    @Test(arguments: [200, 201, 204, 299]) func `an accepted status completes`(_ code: Int) {
        #expect(decide(status(code)) == .complete)
    }

    @Test func `the request says which statuses it accepts`() {
        #expect(decide(status(304), accepts: .codes([304])) == .complete)
        #expect(decide(status(503), accepts: .any) == .complete)
        #expect(decide(status(200), accepts: .codes([304])) == .park(.refused))
    }

    @Test(arguments: [300, 400, 401, 403, 404, 409, 410, 422, 501]) func `other statuses park`(_ code: Int) {
        #expect(decide(status(code)) == .park(.refused))
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504]) func `statuses of the policy wait`(_ code: Int) {
        // Half of one second, then of two.
        #expect(decide(status(code)) == .wait(until: Self.now + 500_000, countsAsRefusal: true))
        #expect(
            decide(status(code), attempts: 7, refusals: 1)
                == .wait(until: Self.now + 1_000_000, countsAsRefusal: true))
        #expect(decide(status(code), attempts: 99, refusals: 18) != .park(.exhausted))
        #expect(decide(status(code), attempts: 20, refusals: 19) == .park(.exhausted))
    }

    @Test func `a conflict waits if an earlier attempt may be under way`() {
        #expect(decide(status(409), attempts: 1) == .park(.refused))
        #expect(decide(status(409), attempts: 2) == .wait(until: Self.now + 500_000, countsAsRefusal: true))
    }

    @Test(arguments: [NetError.Code.dns, .connect, .tls, .connectionLost, .timeout, .limited, .cancelled, .shutdown])
    func `errors of the policy wait, however often`(_ code: NetError.Code) {
        #expect(decide(error(code)) == .wait(until: Self.now + 500_000, countsAsRefusal: false))
        #expect(decide(error(code), attempts: 100_000) == .wait(until: Self.now + 150_000_000, countsAsRefusal: false))
    }

    @Test(arguments: [
        NetError.Code.invalidRequest, .encoding, .protocolViolation, .authentication, .middleware, .unknown,
    ])
    func `other errors park`(_ code: NetError.Code) {
        #expect(decide(error(code)) == .park(.failed))
    }

    @Test func `Retry-After is honored, also if it's longer than the policy allows`() {
        let wait = OutboxDecision.wait(until: Self.now + 86_400_000_000, countsAsRefusal: true)
        #expect(decide(status(503, "86400")) == wait)
        #expect(decide(status(429, "Fri, 02 Jan 1970 00:16:40 GMT")) == wait)
        #expect(decide(status(429, "soon")) == .wait(until: Self.now + 500_000, countsAsRefusal: true))
    }

    @Test func `a wait beyond the expiry parks`() {
        #expect(decide(error(.dns), expiresAt: Self.now + 500_000) == .park(.expired))
        #expect(
            decide(error(.dns), expiresAt: Self.now + 500_001)
                == .wait(until: Self.now + 500_000, countsAsRefusal: false))
        #expect(decide(status(503, "999999999999999")) != .park(.expired))
        #expect(decide(status(503, "999999999999999"), expiresAt: .max) != .park(.expired))
        #expect(decide(status(200), expiresAt: 0) == .complete)
    }

    @Test func `accepted statuses have a text`() throws {
        let statuses = AcceptedStatuses(.custom { (200..<300).contains($0) || $0 == 304 || $0 >= 998 })
        #expect(statuses.text == "200-299,304,998-999")
        #expect(AcceptedStatuses(text: statuses.text) == statuses)
        #expect(AcceptedStatuses(text: "")?.contains(200) == false)
        for text in ["x", "200-", "300-200", "1-2-3", "200,,x"] { #expect(AcceptedStatuses(text: text) == nil) }
    }
}
