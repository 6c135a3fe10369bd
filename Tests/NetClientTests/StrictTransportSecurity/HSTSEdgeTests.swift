import Foundation
import NetCore
import Testing

@testable import NetClient

/// Edge cases of the list of hosts that require HTTPS.
@Suite struct HSTSEdgeTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func age(_ seconds: String) -> TimeInterval? {
        var list = HSTSList()
        list.receive("max-age=\(seconds)", from: "https://h.test/", now: now)
        return list.entries.first?.expires.timeIntervalSince(now)
    }

    @Test func anAgeHasItsRange() {
        #expect(age("0") == nil)
        #expect(age("1") == 1)
        #expect(age("00") == nil)
        #expect(age("3162240000") == 3_162_240_000)
        #expect(age("3162240001") == 3_162_240_000)
        #expect(age("99999999999999999999") == 3_162_240_000)
    }

    @Test func aHostHasNoDotAtItsEnd() {
        var list = HSTSList()
        let isTaken = list.receive("max-age=60", from: "https://H.test./", now: now)
        #expect(isTaken)
        #expect(list.entries.map(\.host) == ["h.test"])
        #expect(list.wantsHTTPS("h.test", now: now))
        let isNone = list.receive("max-age=60", from: "https://./", now: now)
        #expect(!isNone)
        #expect(list.entries.count == 1)
        list.remove("H.TEST.")
        #expect(list.entries.isEmpty)
    }

    @Test func theListHoldsOneHostAtLeast() {
        var list = HSTSList()
        #expect(list.maximumHosts == 10_000)
        for maximum in [0, -1, 1] {
            list.maximumHosts = maximum
            for (index, seconds) in [9.0, 7, 8].enumerated() {
                list.insert(.init(host: "h\(index).test", expires: now.addingTimeInterval(seconds)))
                #expect(list.entries.count == 1)
            }
            #expect(list.entries.map(\.host) == ["h0.test"])
            list.removeAll()
            #expect(list.entries.isEmpty)
        }
        list.maximumHosts = 2
        for host in ["a.test", "b.test"] { list.insert(.init(host: host, expires: now)) }
        #expect(list.entries.count == 2)
    }

    @Test func anEntryIsOfItsHostAloneUnlessItSaysSo() {
        var list = HSTSList()
        list.insert(.init(host: "H.test", expires: now.addingTimeInterval(1)))
        #expect(list.wantsHTTPS("h.test", now: now))
        #expect(!list.wantsHTTPS("a.h.test", now: now))
        #expect(!list.wantsHTTPS("h.test", now: now.addingTimeInterval(1)), "its time is over")
        // An expired entry of the host itself doesn't hide the one of its parent domain.
        list.insert(.init(host: "test", includesSubdomains: true, expires: now.addingTimeInterval(2)))
        #expect(list.wantsHTTPS("h.test", now: now.addingTimeInterval(1)))
        list.insert(.init(host: "127.0.0.1", includesSubdomains: true, expires: now.addingTimeInterval(2)))
        #expect(!list.wantsHTTPS("127.0.0.1", now: now))
    }

    @Test func onlyWhatWasTakenIsSaidToBe() {
        var list = HSTSList()
        let taken = [
            ("max-age=60", "https://h.test/"), ("max-age=0", "https://h.test/"), ("max-age=60", "http://h.test/"),
            ("max-age", "https://h.test/"), ("max-age=60", "no url"),
        ].map { list.receive($0, from: $1, now: now) }
        #expect(taken == [true, true, false, false, false])
    }

    @Test(
        arguments: [
            ("max-age=60;\tincludeSubDomains\t=\t\"\"", 60, true), ("max-age\t=60 ;x", 60, false),
            ("max-age=60 x", nil, false),
            ("max-age=60;=1", nil, false), ("max-age=6/0", nil, false), ("max-age=6:0", nil, false),
            ("max-age=09", 9, false), ("max-age=60;includeSubDomains=", nil, false), ("; ;max-age=60", 60, false),
        ] as [(String, Int64?, Bool)])
    func moreHeaders(text: String, age: Int64?, includesSubdomains: Bool) {
        let read = StrictTransportSecurity(text)
        #expect(read?.maximumAge == age)
        #expect((read?.includesSubdomains ?? false) == includesSubdomains)
    }
}
