import Foundation
import HTTPTypes
import Testing

@testable import NetCore

@Suite struct RetryBudgetTests {
    @Test func everyRetryIsPaidFor() {
        let budget = RetryBudget(ratio: 0.5, reserve: 2)
        #expect(budget.available == 2)
        #expect(budget.ratio == 0.5)
        #expect(budget.withdraw())
        #expect(budget.withdraw())
        #expect(!budget.withdraw())
        #expect(budget.available == 0)
        budget.deposit()
        #expect(!budget.withdraw())
        #expect(budget.available == 0)
        budget.deposit()
        #expect(budget.available == 1)
        #expect(budget.withdraw())
        #expect(!budget.withdraw())
    }

    @Test func aBudgetIsFullAtTenTimesItsReserve() {
        let budget = RetryBudget(ratio: 7, reserve: 2)
        for _ in 0..<2 { budget.deposit() }
        #expect(budget.available == 16)
        for _ in 0..<9 { budget.deposit() }
        #expect(budget.available == 20)
        let empty = RetryBudget(ratio: 3, reserve: 0)
        #expect(empty.available == 0)
        #expect(!empty.withdraw())
        for _ in 0..<9 { empty.deposit() }
        #expect(empty.available == 10)
    }

    @Test func tenthsAddUp() {
        let budget = RetryBudget(ratio: 0.1, reserve: 0)
        for _ in 0..<10 { budget.deposit() }
        #expect(budget.withdraw())
        #expect(budget.available == 0)
        #expect(!budget.withdraw())
        #expect(RetryBudget().available == 10)
        #expect(RetryBudget().ratio == 0.2)
        #expect(RetryBudget(ratio: .nan).ratio == 0)
        #expect(RetryBudget(ratio: .infinity).ratio == 0)
        #expect(RetryBudget(ratio: -1).ratio == 0)
        #expect(RetryBudget(reserve: -3).available == 0)
    }
}

@Suite struct RetryDecisionEdgesTests {
    private func decide(
        _ result: RetryDecision.Result = .response(status: 503, retryAfter: nil), method: HTTPRequest.Method = .get,
        attempt: Int = 1,
        policy: RetryPolicy = RetryPolicy(backoff: .constant(.seconds(2))), choice: RetryChoice = .byPolicy,
        previous: Duration? = nil,
        remaining: Duration? = nil, random: Double = 0, body: RequestBody.Content = .none, headers: HTTPFields = [:],
        retry: RetryEligibility? = nil
    ) -> RetryDecision {
        let request = PreparedRequest.test(method: method, headers: headers, body: body) { $0.retry = retry }
        return RetryDecision.decide(
            result, request: request, attempt: attempt, policy: policy, choice: choice, previousWait: previous,
            date: Date(timeIntervalSince1970: 0), remaining: remaining, random: random)
    }

    @Test func attemptsAreCounted() {
        #expect(decide(attempt: 2) == .retry(after: .seconds(2)))
        #expect(decide(attempt: 3) == .stop(.attempts))
        #expect(RetryPolicy(maximumAttempts: 0).maximumAttempts == 1)
        #expect(RetryPolicy().maximumAttempts == 3)
        #expect(decide(policy: RetryPolicy(maximumAttempts: 1)) == .stop(.attempts))
    }

    @Test func onlyWhatThePolicyNamesIsRepeated() {
        for (status, isRepeated) in [
            (429, true), (500, true), (501, false), (502, true), (503, true), (504, true), (200, false), (404, false),
        ] {
            #expect((decide(.response(status: status, retryAfter: nil)) == .stop(.result)) == !isRepeated)
        }
        for (code, isRepeated) in [
            (NetError.Code.dns, true), (.connect, true), (.connectionLost, true), (.timeout, true), (.tls, false),
            (.cancelled, false),
        ] {
            #expect((decide(.failure(NetError(code, phase: .waiting, message: "m"))) == .stop(.result)) == !isRepeated)
        }
    }

    @Test func aChoiceComesBeforeThePolicy() {
        #expect(decide(choice: .stop) == .stop(.choice))
        let found = RetryDecision.Result.response(status: 404, retryAfter: "99")
        #expect(decide(found, choice: .retry(after: .seconds(7))) == .retry(after: .seconds(7)))
        #expect(decide(found, choice: .retry(after: .seconds(-7))) == .retry(after: .zero))
        #expect(
            decide(
                found, policy: RetryPolicy(backoff: .constant(.seconds(2)), maximumRetryAfter: .seconds(100)),
                choice: .retry()) == .retry(after: .seconds(99)))
    }

    @Test func theServersWishCountsUpToALimit() {
        #expect(decide(.response(status: 503, retryAfter: "60")) == .retry(after: .seconds(60)))
        #expect(decide(.response(status: 503, retryAfter: "61")) == .stop(.retryAfter(.seconds(61))))
        #expect(decide(.response(status: 503, retryAfter: "1")) == .retry(after: .seconds(2)))
        #expect(decide(.response(status: 503, retryAfter: "x")) == .retry(after: .seconds(2)))
        #expect(decide(remaining: .seconds(2)) == .stop(.deadline(wait: .seconds(2))))
        #expect(decide(remaining: .milliseconds(2001)) == .retry(after: .seconds(2)))
    }

    @Test func theRequestMustAllowIt() {
        #expect(decide(method: .post) == .stop(.eligibility))
        #expect(decide(method: .post, headers: ["Idempotency-Key": "k"]) == .retry(after: .seconds(2)))
        #expect(decide(method: .put) == .stop(.eligibility))
        #expect(decide(method: .put, retry: .idempotentMethods) == .retry(after: .seconds(2)))
        #expect(decide(method: .post, retry: .idempotentMethods) == .stop(.eligibility))
        #expect(decide(retry: .never) == .stop(.eligibility))
        #expect(decide(method: .post, retry: .always) == .retry(after: .seconds(2)))
        #expect(decide(body: .stream(length: nil, isReplayable: false) { HeldSource() }) == .stop(.body))
        #expect(decide(body: .stream(length: nil, isReplayable: true) { HeldSource() }) == .retry(after: .seconds(2)))
        #expect(
            ["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY"].allSatisfy {
                HTTPRequest.Method($0)?.isSafe == true
            })
        #expect(
            ["PUT", "DELETE", "POST", "PATCH"].compactMap { HTTPRequest.Method($0) }.map(\.isIdempotent) == [
                true, true, false, false,
            ])
        #expect(!HTTPRequest.Method.put.isSafe)
        #expect(RetryEligibility.never.allows(.get, hasIdempotencyKey: true) == false)
        #expect(RetryEligibility.idempotentMethods.allows(.post, hasIdempotencyKey: true))
    }

    @Test func theWaitBeforeIsPassedOn() {
        let policy = RetryPolicy(backoff: .decorrelated(base: .seconds(1), cap: .seconds(100)))
        #expect(decide(policy: policy, previous: .seconds(5), random: 1) == .retry(after: .seconds(15)))
        #expect(decide(policy: policy, random: 1) == .retry(after: .seconds(3)))
    }

    @Test func finishedAttemptsAreDescribed() {
        let head = ResponseHead(status: .notFound)
        let answered = FinishedAttempt(.test(), head: head)
        #expect(answered.attempt == 1)
        #expect(answered.elapsed == .zero)
        #expect(answered.status == 404)
        #expect(answered.body == nil)
        #expect(answered.error == nil)
        #expect(answered.description == "attempt 1 of GET https://a.test/: 404")
        let failed = FinishedAttempt(
            .test(), error: NetError(.dns, phase: .resolving, message: "m"), attempt: 3, elapsed: .seconds(2))
        #expect(failed.description == "attempt 3 of GET https://a.test/: dns")
        #expect(failed.status == nil)
        #expect(failed.elapsed == .seconds(2))
    }
}

@Suite struct BackoffEdgesTests {
    @Test func waitsStayWithinTheirBounds() {
        let standard = Backoff()
        #expect(standard.base == .milliseconds(500))
        #expect(standard.factor == 2)
        #expect(standard.cap == .seconds(8))
        #expect(standard.jitter == .full)
        #expect(standard.growth == .exponential)
        #expect(
            (1...7).map { standard.delay(afterAttempt: $0, random: 1) } == [
                .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(8), .seconds(8),
            ])
        #expect(standard.delay(afterAttempt: 3, random: 0.25) == .milliseconds(500))
        #expect(standard.delay(afterAttempt: 0, random: 1) == .milliseconds(500))
        let part = Backoff(base: .seconds(4), factor: 1, cap: .seconds(5), jitter: .proportional(0.5))
        #expect(
            [0, 0.5, 1].map { part.delay(afterAttempt: 1, random: $0) } == [.seconds(2), .seconds(4), .seconds(5)])
        #expect(
            Backoff(base: .seconds(4), jitter: .proportional(.nan)).delay(afterAttempt: 1, random: 0) == .seconds(4))
        #expect(Backoff(base: .seconds(4), jitter: .proportional(3)).delay(afterAttempt: 1, random: 0) == .zero)
        #expect(
            Backoff(base: .seconds(4), factor: .nan, jitter: .none).delay(afterAttempt: 9, random: 0) == .seconds(4))
        #expect(Backoff(base: .seconds(4), cap: .seconds(-1), jitter: .none).delay(afterAttempt: 1, random: 0) == .zero)
        #expect(
            Backoff(base: .nanoseconds(1), factor: 1.001, cap: .seconds(9), jitter: .none).delay(
                afterAttempt: 5000, random: 0) == .nanoseconds(3))
        #expect(
            Backoff(base: .seconds(1.7e20), cap: .seconds(1.7e20), jitter: .none).delay(afterAttempt: 1, random: 0)
                == .nanoseconds(Int64.max))
        #expect(Backoff.constant(.seconds(3)).delay(afterAttempt: 7, random: 0.1) == .seconds(3))
        #expect(Backoff.constant(.seconds(3)).cap == .seconds(3))
        #expect(Backoff.constant(.seconds(3)).factor == 1)
        #expect(Backoff.linear(.seconds(1)).cap == .seconds(8))
        #expect(Backoff.linear(.seconds(1)).jitter == .full)
        #expect(Backoff.decorrelated().base == .milliseconds(500))
        #expect(Backoff.decorrelated().cap == .seconds(8))
        #expect(Backoff.decorrelated().factor == 3)
    }

    @Test func decorrelatedWaitsNeverShrinkBelowTheirBase() {
        let wait = Backoff(base: .seconds(4), factor: 0.1, cap: .seconds(9), jitter: .decorrelated)
        #expect(wait.delay(afterAttempt: 1, previous: .seconds(1), random: 1) == .seconds(4))
        let linear = Backoff(base: .seconds(2), cap: .seconds(9), jitter: .decorrelated, growth: .linear)
        #expect(linear.delay(afterAttempt: 1, previous: .seconds(3), random: 1) == .seconds(5))
        #expect(linear.delay(afterAttempt: 1, random: 1) == .seconds(4))
        #expect(
            Backoff(base: .seconds(20), cap: .seconds(9), jitter: .decorrelated).delay(afterAttempt: 1, random: 0.5)
                == .seconds(9))
    }
}

@Suite struct ReconnectEdgesTests {
    private func error(
        _ code: NetError.Code, status: Int? = nil, headers: HTTPFields = [:], closure: WebSocketClosure? = nil
    ) -> NetError {
        NetError(
            code, phase: .waiting, message: "m",
            response: status.map { .init(head: ResponseHead(status: .init(code: $0), headers: headers), body: []) },
            closure: closure)
    }

    private func decide(_ error: NetError, failures: Int = 1, policy: ReconnectPolicy = .constant(.seconds(2)))
        -> ReconnectDecision
    {
        .decide(
            error, failures: failures, waits: max(1, failures), policy: policy, date: Date(timeIntervalSince1970: 0),
            random: 0.5)
    }

    @Test func errorsOfTheConnectionAreRepeated() {
        for code in [NetError.Code.dns, .connect, .connectionLost, .timeout, .unknown] {
            #expect(decide(error(code)) == .retry(after: .seconds(2)))
        }
        for code in [NetError.Code.tls, .cancelled, .decoding] { #expect(decide(error(code)) == .stop) }
        #expect(
            decide(error(.dns), failures: 2, policy: .constant(.seconds(2), maximumAttempts: 3))
                == .retry(after: .seconds(2)))
        #expect(decide(error(.dns), failures: 3, policy: .constant(.seconds(2), maximumAttempts: 3)) == .stop)
        #expect(decide(error(.dns), policy: .never) == .stop)
    }

    @Test func closuresAreLookedUp() {
        func closed(_ code: UInt16, _ reason: String = "", isByPeer: Bool = true) -> ReconnectDecision {
            decide(
                error(.webSocketClosed, closure: .init(code: .init(rawValue: code), reason: reason, isByPeer: isByPeer))
            )
        }
        #expect(closed(1001) == .retry(after: .seconds(2)))
        #expect(closed(1000) == .stop)
        #expect(closed(4401) == .renewCredential)
        #expect(closed(4400) == .stop)
        #expect(closed(3000) == .retry(after: .seconds(2)))
        #expect(closed(1001, "Retry-After: 9") == .retry(after: .seconds(9)))
        #expect(closed(1001, "Retry-After: 9", isByPeer: false) == .retry(after: .seconds(2)))
        #expect(closed(1001, "Retry-After: 1") == .retry(after: .seconds(2)))
        #expect(closed(1001, "Retry-After: 300") == .retry(after: .seconds(300)))
        #expect(closed(1001, "Retry-After: 301") == .stop)
        #expect(decide(error(.dns, closure: .init(code: .normalClosure))) == .stop)
    }

    @Test func statusesAreLookedUp() {
        func answered(_ status: Int, _ wait: String? = nil) -> ReconnectDecision {
            decide(error(.unacceptableStatus, status: status, headers: wait.map { [.retryAfter: $0] } ?? [:]))
        }
        for status in [408, 425, 429, 500, 503, 599] { #expect(answered(status) == .retry(after: .seconds(2))) }
        for status in [400, 404, 407, 409, 424, 426, 428, 430, 499, 600] { #expect(answered(status) == .stop) }
        #expect(answered(401) == .renewCredential)
        #expect(answered(503, "9") == .retry(after: .seconds(9)))
        #expect(answered(503, "301") == .stop)
        #expect(answered(503, "x") == .retry(after: .seconds(2)))
        #expect(decide(error(.unacceptableStatus)) == .stop)
    }

    @Test func thePolicyHasDefaults() {
        let standard = ReconnectPolicy()
        #expect(standard.backoff == Backoff(base: .seconds(1), factor: 2, cap: .seconds(30)))
        #expect(standard.maximumAttempts == nil)
        #expect(standard.stablePeriod == .seconds(10))
        #expect(standard.maximumRetryAfter == .seconds(300))
        #expect(standard.allows(failures: .max))
        #expect(!ReconnectPolicy.never.allows(failures: 0))
        #expect(ReconnectPolicy.constant(.zero, maximumAttempts: 2).allows(failures: 1))
        #expect(!ReconnectPolicy.constant(.zero, maximumAttempts: 2).allows(failures: 2))
        let codes = [
            999, 1000, 1001, 1002, 1003, 1004, 1006, 1007, 1008, 1009, 1010, 1011, 1014, 1015, 1016, 3999, 4000, 4400,
            4401, 4402, 4999, 5000,
        ]
        let actions = codes.map { ReconnectTable.closeCodes[$0] }
        let (retry, stop) = (ReconnectTable.Action.retry, ReconnectTable.Action.stop)
        #expect(
            actions == [
                retry, .retryIfNeeded, retry, stop, stop, retry, retry, stop, stop, retry, stop, retry, retry, stop,
                retry, retry,
                stop, stop, .renewCredential, stop, stop, retry,
            ])
    }

    @Test func rangesOfATableAreSplitAndJoined() {
        var table = ReconnectTable([1...9: .retry])
        table[5] = .stop
        #expect(table.entries.map(\.codes) == [1...4, 5...5, 6...9])
        #expect(table[5] == .stop)
        #expect(table[4] == .retry)
        #expect(table[0] == .stop)
        #expect(table[10] == .stop)
        table[5] = .retry
        #expect(table.entries.map(\.codes) == [1...9])
        table.set(10...12, to: .retry)
        #expect(table.entries.map(\.codes) == [1...12])
        table.set(14...15, to: .retry)
        #expect(table.entries.map(\.codes) == [1...12, 14...15])
        table.set(13...13, to: .renewCredential)
        #expect(table.entries.map(\.action) == [.retry, .renewCredential, .retry])
        table.set(0...20, to: .stop)
        #expect(table.entries.map(\.codes) == [0...20])
        #expect(ReconnectTable().others == .stop)
        #expect(ReconnectTable(others: .retry)[1] == .retry)
    }
}
