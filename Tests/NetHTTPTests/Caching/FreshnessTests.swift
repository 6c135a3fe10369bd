import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// Age and lifetime (RFC 9111 section 4.2).
@Suite struct FreshnessTests {
    private typealias Made = CacheMade

    private func date(_ seconds: Double) -> String { HTTPDate.string(from: Made.start.addingTimeInterval(seconds)) }

    private func freshness(
        _ headers: HTTPFields, status: HTTPResponse.Status = .ok, after: Double = 0, isShared: Bool = false,
        otherwise lifetime: Double? = nil
    ) -> Freshness {
        Freshness(
            of: Made.entry(headers, status: status), now: Made.moment(after: after), isShared: isShared,
            defaultLifetime: lifetime)
    }

    @Test func aLifetimeThatTheServerNamesComesFirst() {
        let all: HTTPFields = [.cacheControl: "max-age=60, s-maxage=90", .expires: date(30), .date: date(0)]
        #expect(freshness(all).lifetime == 60)
        #expect(freshness(all, isShared: true).lifetime == 90)
        #expect(freshness([.cacheControl: "s-maxage=90", .expires: date(30)]).lifetime == 30)
        #expect(freshness([.expires: date(30), .date: date(10)]).lifetime == 20)
        #expect(freshness([.expires: date(-30)]).lifetime == 0)
        #expect(freshness([.expires: "0"]).lifetime == 0)
        #expect(freshness(all).source == .explicit)
        #expect(freshness([.expires: "0"]).source == .explicit)
    }

    @Test func aTenthOfTheAgeIsTheGuessADayAtMost() {
        func guess(_ headers: HTTPFields, status: HTTPResponse.Status = .ok, otherwise: Double? = nil) -> Freshness {
            freshness(headers, status: status, otherwise: otherwise)
        }
        #expect(guess([.lastModified: date(-1000)]).lifetime == 100)
        #expect(guess([.lastModified: date(-1000), .date: date(-500)]).lifetime == 50)
        #expect(guess([.lastModified: date(-864_000)]).lifetime == 86_400)
        #expect(guess([.lastModified: date(-8_640_000)]).lifetime == 86_400)
        #expect(guess([.lastModified: date(0)]).source == .heuristic)
        #expect(guess([.lastModified: date(0)]).lifetime == 0)
        #expect(guess([.lastModified: date(1)]).source == .none)
        #expect(guess([:]).source == .none)
        #expect(guess([.lastModified: date(1)], otherwise: 7).lifetime == 7)
        #expect(guess([:], otherwise: 7).source == .heuristic)
        #expect(guess([.lastModified: date(-1000)], otherwise: 7).lifetime == 100)
        // Only if the standard allows it, or if the response may be stored by all caches.
        #expect(guess([.lastModified: date(-1000)], status: .created).source == .none)
        #expect(guess([.lastModified: date(-1000), .cacheControl: "public"], status: .created).lifetime == 100)
        #expect(guess([:], status: .created, otherwise: 7).source == .none)
    }

    @Test func somethingIsFreshWhileItIsYoungerThanItsLifetime() {
        let at = [59.5, 60, 60.5].map { freshness([.cacheControl: "max-age=60"], after: $0) }
        #expect(at.map(\.isFresh) == [true, false, false])
        #expect(at.map(\.staleness) == [0, 0, 0.5])
        #expect(at.map(\.age) == [59.5, 60, 60.5])
    }

    @Test func anAgeIsTheLargestThatIsKnown() {
        func age(_ headers: HTTPFields, delay: Duration = .zero, after: Double = 0) -> Double {
            Freshness.age(of: Made.entry(headers, delay: delay), now: Made.moment(after: after))
        }
        #expect(age([:]) == 0)
        #expect(age([:], after: 5) == 5)
        #expect(age([:], delay: .seconds(2), after: 5) == 7)
        #expect(age([.date: date(-9)]) == 9)
        #expect(age([.date: date(9)]) == 0)
        #expect(age([.date: date(-9)], after: 1) == 10)
        #expect(age([.age: "4"], delay: .seconds(2)) == 6)
        #expect(age([.age: "4", .date: date(-9)]) == 9)
        for (text, seconds): (String, Double) in [
            ("4, 9", 4), (" 4 ", 4), ("4 5", 0), ("-4", 0), ("x", 0), ("", 0), ("9999999999", 2_147_483_648),
        ] {
            #expect(age([.age: text]) == seconds, "\(text)")
        }
    }

    @Test func bothClocksCountTheTimeSinceTheArrival() {
        let arrival = Arrival(date: Made.start, reading: .seconds(1000), delay: .zero)
        func seconds(_ date: Double, _ reading: Double, _ arrival: Arrival) -> Double {
            arrival.seconds(
                until: CacheMoment(date: Made.start.addingTimeInterval(date), reading: .seconds(1000 + reading)))
        }
        #expect(seconds(5, 3, arrival) == 5)
        #expect(seconds(3, 5, arrival) == 5)
        #expect(seconds(-5, 3, arrival) == 3)
        #expect(seconds(-5, -3, arrival) == 0)
        // After a restart, only the date is known: one far in the future isn't trusted.
        let restored = Arrival(date: Made.start, reading: nil, delay: .zero)
        #expect(seconds(5, 9, restored) == 5)
        #expect(seconds(-60, 9, restored) == 0)
        #expect(seconds(-60.5, 9, restored) == 2_147_483_648)
        let later = CacheMoment(date: Made.start, reading: .seconds(5))
        let earlier = CacheMoment(date: Made.start, reading: .seconds(3))
        #expect(Arrival(at: later, requestedAt: earlier).delay == .seconds(2))
        #expect(Arrival(at: earlier, requestedAt: later).delay == .zero)
    }

    @Test func theStatusSaysWhetherALifetimeMayBeGuessed() {
        let allowed: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]
        for status in 200...599 { #expect(Freshness.allowsHeuristics(status) == allowed.contains(status)) }
    }

    @Test func theSettingsOfACacheHaveDefaults() {
        let configuration = CacheMiddleware.Configuration()
        #expect(!configuration.isShared)
        #expect(configuration.defaultLifetime == nil)
        #expect(configuration.addsCacheStatus)
        #expect(configuration.maximumBodyBytes == 16_777_216)
        #expect(configuration.partition == nil)
        #expect(CacheMiddleware.heuristicFraction == 0.1)
        #expect(CacheMiddleware.heuristicMaximum == .seconds(86_400))
        #expect(CacheMiddleware.maximumVariants == 32)
        #expect(CacheControl.maximumSeconds == 2_147_483_648)
        let memory = MemoryCacheStore()
        #expect(memory.maximumBytes == 33_554_432)
        #expect(memory.maximumEntryBytes == 4_194_304)
        let disk = DiskCacheStore(folder: "/none")
        #expect(disk.maximumBytes == 67_108_864)
        #expect(disk.maximumEntryBytes == 8_388_608)
        #expect(DiskCacheStore.maximumSessionBytes == 16_777_216)
        #expect(SealedBody.pieceBytes == 65_536)
        for (maximum, entry, expected): (Int64, Int64?, (Int64, Int64)) in [
            (-1, nil, (0, 0)), (80, nil, (80, 10)), (80, -1, (80, 0)), (80, 90, (80, 80)), (80, 5, (80, 5)),
        ] {
            let memory = MemoryCacheStore(maximumBytes: maximum, maximumEntryBytes: entry)
            #expect(memory.maximumBytes == expected.0)
            #expect(memory.maximumEntryBytes == expected.1)
            let disk = DiskCacheStore(folder: "/none", maximumBytes: maximum, maximumEntryBytes: entry)
            #expect(disk.maximumBytes == expected.0)
            #expect(disk.maximumEntryBytes == expected.1)
        }
        let middleware = CacheMiddleware(configuration: .init(isShared: true, defaultLifetime: .seconds(5)))
        #expect(middleware.rules.isShared)
        #expect(middleware.rules.defaultLifetime == 5)
        #expect(middleware.endsWithCall)
        #expect(middleware.usesIdentity)
        #expect(!CacheDecision.Rules().isShared)
        #expect(CacheDecision.Rules().defaultLifetime == nil)
    }
}
