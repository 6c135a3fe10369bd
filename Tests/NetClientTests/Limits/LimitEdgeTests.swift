import Foundation
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetClient

/// Edge cases of parsing and counting.
@Suite struct LimitEdgeTests {
    private func list(_ headers: [String: String], now: Double = 1_700_000_000) throws -> [RateLimit] {
        var all = HTTPFields()
        for (name, value) in headers { all[try #require(HTTPField.Name(name))] = value }
        return RateLimit.list(in: all, now: Date(timeIntervalSince1970: now))
    }

    @Test func aQuotaIsExhaustedOnceNothingIsLeft() {
        let left: [(Int?, Bool)] = [(nil, false), (-1, true), (0, true), (1, false)]
        for (remaining, isExhausted) in left {
            #expect(RateLimit(remaining: remaining).isExhausted == isExhausted, "\(remaining ?? -9)")
        }
    }

    @Test func numbersOfAQuotaHaveTheirRange() throws {
        func first(_ parameters: String) throws -> RateLimit? { try list(["RateLimit": "\"a\"" + parameters]).first }
        #expect(
            try first(";r=0;q=0;t=0;w=0") == RateLimit(name: "a", limit: 0, remaining: 0, reset: .zero, window: .zero))
        #expect(try first(";r=1;t=10000000000;w=10000000000")?.reset == .seconds(10_000_000_000))
        #expect(try first(";r=1;t=10000000001;w=10000000001") == RateLimit(name: "a", remaining: 1))
        #expect(try first(";r=1;t=-1;w=-1") == RateLimit(name: "a", remaining: 1))
        #expect(try first(";q=1") == RateLimit(name: "a", limit: 1))
        #expect(try first(";t=1;w=1") == nil, "neither a limit nor what is left")
    }

    @Test func duplicateParametersUseTheLastValidValue() throws {
        let both = try list([
            "RateLimit": "\"a\";q=1;r=2;t=3;w=4;pk=:AQ==:", "RateLimit-Policy": "\"a\";q=10;r=20;t=30;w=40;pk=:Ag==:",
        ])
        #expect(
            both == [
                RateLimit(
                    name: "a", limit: 10, remaining: 20, reset: .seconds(30), window: .seconds(40),
                    partition: Bytes([2]))
            ])
        let broken = try list([
            "RateLimit": "a;q=1;r=2;t=3;w=4;pk=:AQ==:", "RateLimit-Policy": "a;q=-1;r=-1;t=-1;w=-1;pk=1",
        ])
        #expect(
            broken == [
                RateLimit(
                    name: "a", limit: 1, remaining: 2, reset: .seconds(3), window: .seconds(4), partition: Bytes([1]))
            ])
    }

    @Test func aFieldSaysSoManyQuotas() throws {
        let fields = (0..<101).map { "a\($0);r=\($0)" }.joined(separator: ", ")
        #expect(try list(["RateLimit": fields]).map(\.name) == (0..<100).map { "a\($0)" })
    }

    @Test(
        arguments: [
            ("0", 0), ("1000000000", 1_000_000_000), ("1000000001", 0), ("1700000000", 0), ("1700000001", 1),
            ("1700000030.5", nil), ("100000000000", 10_000_000_000), ("100000000001", 0), ("1700000002000", 2),
            (" 5 ;w=1", 5), ("5, 6", 5), ("-1", nil), ("", nil),
        ] as [(String, Int64?)])
    func aResetIsATimeOrADate(text: String, seconds: Int64?) throws {
        let limit = try list(["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": text]).first
        #expect(limit != nil)
        #expect(limit?.reset == seconds.map { .seconds($0) })
    }

    @Test func aPartOfASecondIsAWholeOne() throws {
        let headers = ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1700000030"]
        #expect(try list(headers, now: 1_700_000_000.5).first?.reset == .seconds(30))
    }

    @Test func eitherNumberMakesAQuotaInTheOlderForms() throws {
        #expect(try list(["RateLimit": "limit=5"]) == [RateLimit(limit: 5)])
        #expect(try list(["RateLimit": "remaining=5"]) == [RateLimit(remaining: 5)])
        #expect(try list(["RateLimit": "reset=5", "X-RateLimit-Limit": "7"]) == [RateLimit(limit: 7)])
        #expect(try list(["RateLimit-Remaining": "0"]) == [RateLimit(remaining: 0)])
        #expect(try list(["RateLimit-Reset": "5", "X-Rate-Limit-Remaining": "4"]) == [RateLimit(remaining: 4)])
        #expect(try list(["RateLimit-Limit": "1", "X-RateLimit-Limit": "2"]) == [RateLimit(limit: 1)])
    }

    @Test func aBucketHasTheRateAndTheBurstThatItWasGiven() {
        for (rate, burst, expected): (Double, Int, (Double, Double)) in [
            (3e-9, 1, (3e-9, 1)), (2.5, 7, (2.5, 7)), (0, 0, (3e-9, 1)), (-.infinity, -1, (3e-9, 1)),
            (.nan, 2, (3e-9, 2)), (1e-12, 1, (3e-9, 1)),
        ] {
            let bucket = TokenBucket(rate: rate, burst: burst)
            #expect(bucket.rate == expected.0, "\(rate) \(burst)")
            #expect(bucket.burst == expected.1, "\(rate) \(burst)")
        }
    }

    @Test func aBlockEndsAtItsTime() {
        var bucket = TokenBucket(rate: 1, burst: 2)
        #expect(bucket.wait(.zero) == .zero)
        bucket.block(until: .seconds(5))
        #expect([4, 5, 6].map { bucket.wait(.seconds($0)) } == [.seconds(1), .zero, .zero])
        bucket.block(until: .seconds(7))
        #expect(bucket.wait(.seconds(5)) == .seconds(2), "the later one counts")
    }

    @Test func returnedTokensNeverExceedTheBurst() {
        var bucket = TokenBucket(rate: 1, burst: 1)
        bucket.giveBack()
        #expect([bucket.take(now: .zero), bucket.take(now: .zero)] == [.zero, .seconds(1)])
        var pair = TokenBucket(rate: 1, burst: 2)
        #expect(pair.take(2, now: .zero) == .zero)
        pair.giveBack()
        #expect([pair.take(now: .zero), pair.take(now: .zero)] == [.zero, .seconds(1)])
        #expect(pair.take(0, now: .seconds(1)) == .zero)
        #expect(pair.take(3, now: .seconds(2)) == .seconds(2))
    }

    @Test func aThousandOriginsHaveAValueAndTheOneThatIsUnusedTheLongestGoes() {
        let made = NumberSource()
        let values = PerOrigin { made.next() }
        func value(_ origin: String) -> Int { values.change(origin) { $0 } }
        for number in 1...1000 { #expect(value("o\(number)") == number) }
        #expect(value("o1") == 1, "it is in use again")
        #expect(value("o1001") == 1001)
        #expect(value("o1") == 1)
        #expect(value("o3") == 3)
        #expect(value("o1000") == 1000)
        #expect(value("o2") == 1002, "it had to go")
        values.change("o3") { $0 = -3 }
        #expect(value("o3") == -3)
    }

    @Test func settingsHaveDefaultsAndLeastValues() {
        #expect(ConcurrencyLimitMiddleware(limit: 2).maximumWaiting == 10_000)
        let least = ConcurrencyLimitMiddleware(limit: 0, maximumWaiting: -1)
        #expect(least.limit == 1)
        #expect(least.maximumWaiting == 0)
        #expect(ConcurrencyLimitMiddleware(limit: 2, maximumWaiting: 1).limit == 2)
        #expect(RateLimitMiddleware(rate: 1).maximumWait == .seconds(30))
        #expect(RateLimitMiddleware(rate: 1, maximumWait: .seconds(-1)).maximumWait == .zero)
        #expect(RateLimitMiddleware(rate: 1).endsWithCall)
        #expect(least.endsWithCall)
    }
}

/// Consecutive numbers.
private final class NumberSource: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        var next = 0
        count.change {
            $0 += 1
            next = $0
        }
        return next
    }
}
