import Foundation
import NetTesting
import Testing

@testable import NetCore
@testable import NetHTTP

@Suite struct AltSvcListTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let url = "https://a.test/x"

    private func list(_ field: String, from url: String = "https://a.test/") -> AltSvcList {
        var list = AltSvcList()
        list.receive(field, from: url, now: now)
        return list
    }

    private func names(_ list: AltSvcList, _ url: String = "https://a.test/", after seconds: Double = 0) -> [String] {
        list.services(for: url, now: now.addingTimeInterval(seconds)).map(\.description)
    }

    @Test func alternativesComeInTheOrderOfTheOrigin() {
        let list = list(#"h3=":443"; ma=60, h2="B.test:8443", http%2F1.1="[::1]:80""#)
        #expect(names(list) == [#"h3="a.test:443""#, #"h2="b.test:8443""#, #"http/1.1="[::1]:80""#])
        #expect(names(list, "https://A.test:443/y?z") == names(list))
        #expect(names(list, after: 60) == [#"h2="b.test:8443""#, #"http/1.1="[::1]:80""#])
        #expect(names(list, after: 86_400).isEmpty)
    }

    @Test func anotherOriginHasNone() {
        let list = list(#"h2=":8443""#)
        for url in ["https://a.test:8443/", "https://www.a.test/", "http://a.test/", "a.test", ""] {
            #expect(names(list, url).isEmpty, "\(url)")
        }
    }

    @Test(arguments: ["http://a.test/", "http://a.test:443/", "ftp://a.test/", "a.test", "https://", ""])
    func onlyHTTPSIsHeard(url: String) {
        var list = AltSvcList()
        let isTaken = list.receive(#"h2=":8443""#, from: url, now: now)
        #expect(!isTaken)
        #expect(list.entries.isEmpty)
    }

    @Test func eachFieldTakesThePlaceOfTheLast() {
        var list = list(#"h2=":1", h2=":2""#)
        list.receive(#"h2=":3""#, from: url, now: now)
        #expect(names(list) == [#"h2="a.test:3""#])
        let isTaken = list.receive("h2=:4, x", from: url, now: now)
        #expect(!isTaken)
        #expect(names(list) == [#"h2="a.test:3""#])
        list.receive("clear", from: url, now: now)
        #expect(list.entries.isEmpty)
        #expect(self.list(#"h2=":1"; ma=0"#).entries.isEmpty)
    }

    @Test func theOriginsOwnPlaceIsNoAlternativeButForHTTP3() {
        let list = list(#"h2=":443", h3=":443", http%2F1.1="a.test:443", h2="A.test:444""#)
        #expect(names(list) == [#"h3="a.test:443""#, #"h2="a.test:444""#])
        #expect(names(self.list(#"h2=":8443""#, from: "https://a.test:8443/"), "https://a.test:8443/").isEmpty)
    }

    @Test func timeInACacheCounts() {
        var list = AltSvcList()
        list.receive(#"h2=":1"; ma=60, h2=":2"; ma=30"#, from: url, now: now, age: 30)
        #expect(names(list) == [#"h2="a.test:1""#])
        #expect(names(list, after: 30).isEmpty)
        list.receive(#"h2=":1""#, from: url, now: now, age: .max)
        #expect(list.entries.isEmpty)
    }

    @Test func failedAlternativesAreAvoidedForLongerEachTime() throws {
        var list = list(#"h2=":1"; ma=99999999, h2=":2"; ma=99999999"#)
        let service = try #require(list.services(for: url, now: now).first)
        var (time, pauses) = (now, [Int]())
        for _ in 0..<20 {
            // Failures of concurrent calls count once.
            for _ in 0..<3 { list.failed(service, for: "https://a.test", now: time) }
            // A repeated advertisement by the origin doesn't change that.
            list.receive(#"h2=":1"; ma=99999999, h2=":2"; ma=99999999"#, from: url, now: time)
            #expect(list.services(for: url, now: time).map(\.port) == [2])
            let until = try #require(list.entries.first?.services.first?.brokenUntil)
            pauses.append(Int(until.timeIntervalSince(time)))
            time = until
            #expect(list.services(for: url, now: time).map(\.port) == [1, 2])
        }
        #expect(pauses.prefix(10) == [300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 76_800, 86_400])
        #expect(pauses.last == 86_400)
        list.answered(list.services(for: url, now: time)[0], for: "https://a.test")
        list.failed(service, for: "https://a.test", now: time)
        #expect(list.entries.first?.services.first?.brokenUntil == time.addingTimeInterval(300))
    }

    @Test func alternativesAreForgottenAfterMisdirectedRequests() throws {
        var list = list(#"h2=":1"; ma=99999"#)
        let service = try #require(list.services(for: url, now: now).first)
        list.misdirected(service, for: "https://a.test", now: now)
        #expect(names(list).isEmpty)
        #expect(names(list, after: 301).isEmpty)
        // After another advertisement it is tried again, but not by each call.
        list.receive(#"h2=":1"; ma=99999"#, from: url, now: now)
        #expect(names(list).isEmpty)
        #expect(names(list, after: 299).isEmpty)
        #expect(names(list, after: 300) == [#"h2="a.test:1""#])
    }

    @Test func anotherNetworkKeepsWhatSaysSo() throws {
        var list = list(#"h2=":1"; persist=1, h2=":2""#)
        list.receive(#"h2=":3""#, from: "https://b.test/", now: now)
        list.failed(try #require(list.services(for: url, now: now).first), for: "https://a.test", now: now)
        list.networkChanged()
        #expect(names(list) == [#"h2="a.test:1""#])
        #expect(list.entries.count == 1)
    }

    @Test func theListHoldsSoManyOrigins() {
        var list = AltSvcList()
        list.maximumOrigins = 3
        for (index, name) in ["c", "a", "d", "b"].enumerated() {
            let time = now.addingTimeInterval(Double(index))
            list.receive(#"h2=":1""#, from: "https://\(name).test/", now: time)
            list.receive(#"h2=":1""#, from: "https://c.test/", now: time)
        }
        #expect(list.entries.map(\.origin) == ["https://b.test", "https://c.test", "https://d.test"])
        list.remove("https://C.test:443/x")
        #expect(list.entries.map(\.origin) == ["https://b.test", "https://d.test"])
    }

    @Test func invalidOriginsAndServicesAreNotInserted() {
        var list = AltSvcList()
        let good = AlternativeService(protocolName: "h2", host: "B.test", port: 1, expires: .distantFuture)
        var bad = [AlternativeService](repeating: good, count: 5)
        (bad[0].host, bad[1].port, bad[2].port, bad[3].protocolName, bad[4].host) = ("b:1", 0, 65_536, "", "")
        for origin in ["http://a.test", "a.test", ""] {
            list.insert(.init(origin: origin, services: [good], received: now))
        }
        list.insert(.init(origin: "https://c.test", services: bad, received: now))
        #expect(list.entries.isEmpty)
        list.insert(.init(origin: "https://A.test:443/x", services: bad + [good], received: now))
        #expect(list.entries == [.init(origin: "https://a.test", services: [good], received: now)])
    }

    @Test func aFileBringsTheOriginsBack() throws {
        var list = list(#"h2=":1"; persist=1, h2="[::1]:2"; ma=99999999999999999999"#)
        list.receive(#"h3=":443""#, from: "https://x.test/", now: now)
        list.failed(try #require(list.services(for: url, now: now).first), for: "https://a.test", now: now)
        #expect(try AltSvcFile.decode(AltSvcFile(list).encoded()).entries == list.entries)
        let whole = Array(try AltSvcFile(list).encoded())
        for end in 0..<whole.count {
            #expect(throws: NetError.self) { try AltSvcFile.decode(Bytes(whole[..<end])) }
        }
    }
}
