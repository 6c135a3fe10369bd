import Foundation
import HTTPTypes
import NetCore
import Testing

@Suite struct RetryDecisionTests {
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    /// A decision without the reason for stopping.
    enum Verdict: Equatable {
        case stop
        case retry(after: Duration)

        init(_ decision: RetryDecision) {
            self = if case .retry(let wait) = decision { .retry(after: wait) } else { .stop }
        }
    }

    private func decide(
        _ result: RetryDecision.Result = .response(status: 503, retryAfter: nil), method: HTTPRequest.Method = .get,
        key: Bool = false, eligibility: RetryEligibility? = nil, body: RequestBody.Content = .none, attempt: Int = 1,
        policy: RetryPolicy = RetryPolicy(backoff: .constant(.seconds(1))), remaining: Duration? = nil
    ) throws -> Verdict {
        var headers: HTTPFields = [:]
        if key { headers["idempotency-key"] = "k" }
        let head = HTTPRequest(method: method, scheme: "http", authority: "h", path: "/", headerFields: headers)
        let request = PreparedRequest(head: head, body: body, options: RequestOptions(retry: eligibility))
        return Verdict(
            RetryDecision.decide(
                result, request: request, attempt: attempt, policy: policy, date: Self.now, remaining: remaining,
                random: 0.5))
    }

    @Test(
        "Only what may be sent twice is repeated",
        arguments: [
            (HTTPRequest.Method.get, false, RetryEligibility.automatic, true), (.head, false, .automatic, true),
            (.options, false, .automatic, true), (.trace, false, .automatic, true), (.post, false, .automatic, false),
            (.put, false, .automatic, false), (.delete, false, .automatic, false), (.patch, true, .automatic, true),
            (.post, true, .automatic, true), (.put, false, .idempotentMethods, true),
            (.delete, false, .idempotentMethods, true),
            (.post, false, .idempotentMethods, false), (.post, true, .idempotentMethods, true),
            (.post, false, .always, true),
            (.get, false, .never, false), (.post, true, .never, false),
        ])
    func eligibility(method: HTTPRequest.Method, key: Bool, rule: RetryEligibility, isRepeated: Bool) throws {
        let expected: Verdict = isRepeated ? .retry(after: .seconds(1)) : .stop
        #expect(try decide(method: method, key: key, eligibility: rule) == expected)
        let policy = RetryPolicy(backoff: .constant(.seconds(1)), eligibility: rule)
        #expect(try decide(method: method, key: key, policy: policy) == expected)
    }

    @Test func theRequestsOwnWishWins() throws {
        let policy = RetryPolicy(backoff: .constant(.seconds(1)), eligibility: .always)
        #expect(try decide(eligibility: .never, policy: policy) == .stop)
    }

    @Test("Which statuses are repeated", arguments: [200, 304, 400, 401, 404, 408, 429, 500, 501, 502, 503, 504, 505])
    func statuses(status: Int) throws {
        let isRepeated = [429, 500, 502, 503, 504].contains(status)
        #expect((try decide(.response(status: status, retryAfter: nil)) != .stop) == isRepeated)
    }

    @Test(
        "Which errors are repeated",
        arguments: [
            (NetError.Code.dns, true), (.connect, true), (.connectionLost, true), (.timeout, true), (.tls, false),
            (.cancelled, false), (.decoding, false), (.invalidRequest, false), (.encoding, false), (.shutdown, false),
            (.protocolViolation, false), (.middleware, false), (.unknown, false), (.bodyTooLarge, false),
        ])
    func errors(code: NetError.Code, isRepeated: Bool) throws {
        let error = NetError(code, phase: .waiting, message: "m")
        #expect((try decide(.failure(error)) != .stop) == isRepeated)
    }

    @Test(
        "Retry-After lengthens the wait, up to a maximum",
        arguments: [
            ("0", Verdict.retry(after: .seconds(1))), ("30", .retry(after: .seconds(30))),
            ("60", .retry(after: .seconds(60))), ("61", .stop), ("99999999999999999999", .stop),
            ("Sun, 06 Nov 1994 08:50:07 GMT", .retry(after: .seconds(30))), ("Sun, 06 Nov 1994 09:50:07 GMT", .stop),
            ("Sun, 06 Nov 1994 00:00:00 GMT", .retry(after: .seconds(1))), ("nonsense", .retry(after: .seconds(1))),
            ("-5", .retry(after: .seconds(1))), ("", .retry(after: .seconds(1))),
        ])
    func retryAfter(field: String, expected: Verdict) throws {
        #expect(try decide(.response(status: 429, retryAfter: field)) == expected)
    }

    @Test func attemptsAreCountedInAll() throws {
        #expect(try decide(attempt: 2) != .stop)
        #expect(try decide(attempt: 3) == .stop)
        #expect(try decide(attempt: 99) == .stop)
        #expect(try decide(policy: RetryPolicy(maximumAttempts: 1)) == .stop)
        #expect(RetryPolicy(maximumAttempts: -3).maximumAttempts == 1)
    }

    @Test func noWaitReachesTheDeadline() throws {
        #expect(try decide(remaining: .milliseconds(1001)) == .retry(after: .seconds(1)))
        #expect(try decide(remaining: .seconds(1)) == .stop)
        #expect(try decide(remaining: .zero) == .stop)
        #expect(try decide(remaining: .seconds(-1)) == .stop)
        #expect(try decide(.response(status: 503, retryAfter: "30"), remaining: .seconds(20)) == .stop)
    }

    @Test func aBodyThatCannotBeMadeAgainIsSentOnce() throws {
        let once = RequestBody.Content.stream(length: nil, isReplayable: false) { ResponseSource() }
        let again = RequestBody.Content.stream(length: nil, isReplayable: true) { ResponseSource() }
        #expect(try decide(eligibility: .always, body: once) == .stop)
        #expect(try decide(eligibility: .always, body: again) != .stop)
        #expect(try decide(eligibility: .always, body: .bytes([1])) != .stop)
    }

    private func decide(
        _ choice: RetryChoice, _ status: Int, method: HTTPRequest.Method = .get, attempt: Int = 1,
        remaining: Duration? = nil
    ) -> RetryDecision {
        let head = HTTPRequest(method: method, scheme: "http", authority: "h", path: "/")
        return RetryDecision.decide(
            .response(status: status, retryAfter: "30"), request: PreparedRequest(head: head), attempt: attempt,
            policy: RetryPolicy(backoff: .constant(.seconds(1))), choice: choice, date: Self.now, remaining: remaining,
            random: 0.5)
    }

    @Test func aChoiceReplacesTheRuleForStatusesAndNothingElse() {
        #expect(decide(.byPolicy, 200) == .stop(.result))
        #expect(decide(.stop, 503) == .stop(.choice))
        #expect(decide(.retry(), 200) == .retry(after: .seconds(30)), "Retry-After is waited for")
        #expect(decide(.retry(after: .seconds(2)), 404) == .retry(after: .seconds(2)), "a wait of its own is kept")
        #expect(decide(.retry(after: .seconds(-2)), 404) == .retry(after: .zero))
        #expect(decide(.retry(), 200, method: .post) == .stop(.eligibility))
        #expect(decide(.retry(), 200, attempt: 3) == .stop(.attempts))
        #expect(decide(.retry(after: .seconds(5)), 200, remaining: .seconds(5)) == .stop(.deadline(wait: .seconds(5))))
    }

    private final class ResponseSource: BodySource {
        func next() async throws(NetError) -> Bytes? { nil }
        func cancel() {}
    }
}
