import Foundation
import NetCore
import NetTesting
import Testing

@testable import NetClient

@Suite struct HSTSListTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func list(_ field: String, from url: String = "https://h.test/") -> HSTSList {
        var list = HSTSList()
        list.receive(field, from: url, now: now)
        return list
    }

    @Test(
        "Fields are read as RFC 6797 section 6.1 says",
        arguments: [
            ("max-age=60", 60, false), ("MAX-AGE=60 ; includeSubDomains", 60, true),
            ("includesubdomains;max-age=\"60\"", 60, true),
            (" max-age = 60 ; preload ; x=y ; z=\"a;b\"", 60, false), ("max-age=60;", 60, false),
            (";; max-age=60;;", 60, false),
            ("max-age=0", 0, false), ("max-age=99999999999999999999", .max, false),
            ("", nil, false), ("includeSubDomains", nil, false), ("max-age", nil, false), ("max-age=", nil, false),
            ("max-age=x", nil, false), ("max-age=-1", nil, false), ("max-age=6 0", nil, false),
            ("max-age=60; max-age=60", nil, false),
            ("max-age=60; includeSubDomains; includeSubDomains", nil, false),
            ("max-age=60; includeSubDomains=1", nil, false),
            ("max-age=60, includeSubDomains", nil, false), ("max-age=60; x=\"", nil, false),
            ("max-age=\"60", nil, false),
        ] as [(String, Int64?, Bool)])
    func headers(text: String, age: Int64?, includesSubdomains: Bool) {
        let read = StrictTransportSecurity(text)
        #expect(read?.maximumAge == age)
        #expect((read?.includesSubdomains ?? false) == includesSubdomains)
    }

    @Test func aHostWantsHTTPSForSoLong() {
        let list = list("max-age=60")
        #expect(list.wantsHTTPS("h.test", now: now.addingTimeInterval(59)))
        #expect(list.wantsHTTPS("H.TEST.", now: now))
        #expect(!list.wantsHTTPS("h.test", now: now.addingTimeInterval(60)))
        #expect(!list.wantsHTTPS("www.h.test", now: now))
        #expect(!list.wantsHTTPS("test", now: now))
        #expect(!list.wantsHTTPS("", now: now))
    }

    @Test func theHostsBelowAreMeantWhereItSaysSo() {
        let list = list("max-age=60; includeSubDomains")
        #expect(list.wantsHTTPS("a.b.h.test", now: now))
        #expect(!list.wantsHTTPS("xh.test", now: now))
    }

    @Test func zeroForgetsAndAnotherFieldReplaces() {
        var list = list("max-age=60; includeSubDomains")
        list.receive("max-age=600", from: "https://h.test/x", now: now)
        #expect(!list.wantsHTTPS("www.h.test", now: now))
        #expect(list.wantsHTTPS("h.test", now: now.addingTimeInterval(599)))
        list.receive("max-age=0", from: "https://h.test/x", now: now)
        #expect(list.entries.isEmpty)
    }

    @Test(arguments: ["http://h.test/", "https://127.0.0.1/", "https://[::1]/", "ftp://h.test/", "h.test"])
    func headersFromUntrustedURLsAreIgnored(url: String) {
        #expect(list("max-age=60", from: url).entries.isEmpty)
    }

    @Test func aMalformedFieldForgetsNothing() {
        var list = list("max-age=60")
        list.receive("max-age=0; max-age=0", from: "https://h.test/", now: now)
        #expect(list.wantsHTTPS("h.test", now: now))
    }

    @Test func theListHoldsSoManyHosts() {
        var list = HSTSList()
        list.maximumHosts = 3
        for (index, age) in [50, 10, 90, 70].enumerated() {
            list.receive("max-age=\(age)", from: "https://h\(index).test/", now: now)
        }
        #expect(list.entries.map(\.host) == ["h0.test", "h2.test", "h3.test"])
    }

    @Test func aFileBringsTheHostsBack() throws {
        var list = list("max-age=60; includeSubDomains")
        list.receive("max-age=99999999999999999999", from: "https://x.test/", now: now)
        #expect(try HSTSFile.decode(HSTSFile(list).encoded()).entries == list.entries)
        let whole = Array(try HSTSFile(list).encoded())
        for end in 0..<whole.count {
            #expect(throws: NetError.self) { try HSTSFile.decode(Bytes(whole[..<end])) }
        }
    }

    @Test func noFieldBreaksTheReader() {
        let random = SeededRandom(seed: 5)
        let words = ["max-age", "=", "60", ";", " ", "\"", "\\", "includeSubDomains", ",", "é", "\0", "x"]
        for _ in 0..<5000 {
            _ = StrictTransportSecurity(
                (0..<Int(random.next() % 12)).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined())
        }
    }
}
