import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

@testable import NetHTTP

/// Links, digests, validators and the number of ranges of a transfer.
@Suite struct TransferValueTests {
    private func request(_ mirrors: [String] = []) -> DownloadRequest {
        DownloadRequest("https://a.test/x", mirrors: mirrors, headers: [.authorization: "k"])
    }

    @Test func theOriginalComesBeforeItsMirrors() {
        var links = DownloadLinks(
            request(["https://b.test/x", "https://a.test/x", "https://b.test/x", "https://c.test/x"]))
        #expect((0..<4).map { links[$0].url } == ["a", "b", "c", "a"].map { "https://\($0).test/x" })
        #expect(links.isOriginal)
        #expect(links.current.headers[.authorization] == "k")
        #expect(links[1].headers.isEmpty)
        #expect(!links[0].isMirror)
        #expect(links[1].isMirror)
        links.renew(DownloadRequest("https://d.test/x"))
        #expect(links.current.url == "https://d.test/x")
        #expect(links.isOriginal)
        let dropped = [links.drop(), links.drop(links[1]), links.drop(), links.drop(links.current)]
        #expect(dropped == [true, true, false, false])
        #expect(links.current.url == "https://b.test/x")
        #expect(!links.isOriginal)
        var many = DownloadLinks(request((0..<40).map { "https://m\($0).test/" }))
        #expect(many[31].url == "https://m30.test/")
        #expect(many[32].url == "https://a.test/x")
        many.add(mirrors: ["https://more.test/"])
        #expect(many[32].url == "https://a.test/x")
    }

    @Test func aServersMirrorsAreOrderedAndKeepTheEncryption() {
        var headers = HTTPFields()
        for (url, more) in [
            ("http://b.test/x", "; pri=1"), ("https://c.test/x", "; pri=3"), ("/y", "; pri=2"),
            ("https://d.test/x", ""),
            ("https://e.test/x", "; anchor=\"/z\""), ("ftp://f.test/x", "; pri=0"),
        ] {
            headers.append(HTTPField(name: .link, value: "<\(url)>; rel=duplicate\(more)"))
        }
        headers.append(HTTPField(name: .link, value: "<https://g.test/x>; rel=next"))
        let head = ResponseHead(status: .ok, headers: headers)
        let plain = ["http://b.test/x", "http://a.test/y", "https://c.test/x", "https://d.test/x"]
        #expect(DownloadLinks.mirrors(head, of: "http://a.test/x") == plain)
        #expect(DownloadLinks.mirrors(head, of: "https://a.test/x") == ["https://a.test/y"] + plain.suffix(2))
        #expect(DownloadLinks.mirrors(ResponseHead(status: .ok), of: "http://a.test/x").isEmpty)
    }

    @Test func theBestDigestThatIsWholeCounts() {
        let (short, long) = (Bytes([UInt8](repeating: 1, count: 32)), Bytes([UInt8](repeating: 2, count: 64)))
        func text(_ bytes: Bytes) -> String { Data(Array(bytes)).base64EncodedString() }
        func announced(_ headers: HTTPFields) -> [DigestAlgorithm: Bytes] {
            DownloadDigests.announced(by: ResponseHead(status: .ok, headers: headers))
        }
        let older: HTTPField.Name = "Digest"
        #expect(announced([older: "SHA-512=\(text(long)), sha-256=\(text(short))"]) == [.sha256: short])
        #expect(announced([older: " sha-512 =\(text(long))"]) == [.sha512: long])
        #expect(announced([older: "sha-256=\(text(long)),sha-512=\(text(short))"]).isEmpty, "of the wrong lengths")
        #expect(announced([older: "sha-256, md5=\(text(short)), sha-256=?"]).isEmpty)
        #expect(
            announced(["Repr-Digest": "sha-512=:\(text(long)):", older: "sha-256=\(text(short))"]) == [.sha512: long])
        #expect(announced(["Repr-Digest": "md5=:AA==:", older: "sha-256=\(text(short))"]) == [.sha256: short])
        #expect(announced([:]).isEmpty)
    }

    @Test func validatorsContradictEachOtherOnlyIfBothSayIt() {
        func made(_ tag: String?, _ time: String? = nil, _ date: String? = nil) -> DownloadValidators {
            DownloadValidators(eTag: tag, lastModified: time, date: date)
        }
        for (known, part, isContradiction) in [
            (made("\"a\""), made("\"a\""), false), (made("\"a\""), made("\"b\""), true),
            (made("\"a\""), made(nil), true),
            (made("W/\"a\""), made(nil), false), (made("W/\"a\""), made("W/\"b\""), true),
            (made(nil), made("\"b\""), false),
            (made(nil, "x"), made(nil, "x"), false), (made(nil, "x"), made(nil, "y"), true),
            (made(nil, "x"), made(nil), false),
        ] {
            #expect(known.contradicts(part) == isContradiction, "\(known) \(part)")
        }
        #expect(made("\"\"").strongTag == "\"\"")
        #expect(made("\"").strongTag == nil)
        #expect(made("a\"").strongTag == nil)
        let head = ResponseHead(status: .ok, headers: [.eTag: "a", .lastModified: "b", .date: "c"])
        #expect(DownloadValidators(head) == made("a", "b", "c"))
        let times = ["00:00:00", "00:00:01", "00:00:02"].map { "Thu, 01 Jan 2026 \($0) GMT" }
        #expect(made(nil, times[0], times[1]).strongTime == times[0])
        #expect(made(nil, times[1], times[1]).strongTime == nil)
        #expect(made(nil, times[2], times[1]).condition == nil)
        #expect(made(nil, "x", times[1]).condition == nil)
        #expect(made("\"a\"", times[0], times[1]).condition == "\"a\"")
    }

    @Test func rangesAreAddedThenMeasured() {
        var growth = RangeGrowth(maximum: 2, now: .zero)
        func came(_ bytes: Int, _ seconds: Double, isStable: Bool = true) -> RangeGrowth.Action? {
            growth.bytesCame(bytes, isStable: isStable, now: .seconds(seconds))
        }
        #expect(came(1, 0, isStable: false) == nil)
        #expect(came(1, 0) == .add)
        #expect(growth.count == 2)
        #expect(came(1, 0.9) == nil, "it has settled")
        #expect(came(1, 1) == nil, "it has settled")
        #expect(came(1000, 1.9) == nil)
        #expect(came(1000, 2) == .leaveOut)
        #expect(growth.count == 1)
        // For a second, nothing is measured; then half the speed brings the range back.
        #expect(came(5000, 2.5) == nil)
        #expect(came(1, 3) == nil)
        #expect(came(999, 4) == .add)
        #expect(growth.count == 2)
        #expect(came(9999, 99) == nil)
        #expect(growth.count == 2)
    }

    @Test func aRangeThatGainsLittleIsLeftOut() {
        for (bytes, expected): (Int, RangeGrowth.Action?) in [(1817, .add), (1819, nil)] {
            var growth = RangeGrowth(maximum: 2, now: .zero)
            let actions = [(1, 0.0), (1, 1.0), (2000, 2.0), (0, 3.0), (bytes, 4.0)].map {
                growth.bytesCame($0.0, isStable: true, now: .seconds($0.1))
            }
            #expect(actions == [.add, nil, .leaveOut, nil, expected], "\(bytes)")
        }
    }

    @Test func aLostRangeIsTheMost() {
        var growth = RangeGrowth(maximum: 4, now: .zero)
        _ = growth.bytesCame(1, isStable: true, now: .zero)
        _ = growth.bytesCame(1, isStable: true, now: .zero)
        growth.lostOne()
        #expect(growth.count == 2)
        #expect(growth.maximum == 2)
        let more = growth.bytesCame(1, isStable: true, now: .seconds(9))
        #expect(more == nil)
        growth.lostOne()
        growth.lostOne()
        #expect(growth.count == 1)
        #expect(growth.maximum == 1)
        #expect(RangeGrowth(maximum: 0, now: .zero).maximum == 1)
    }

    @Test func aLimitHasAtLeastOneByte() async throws {
        let clock = TestClock()
        for (rate, seconds) in [(0, 3.0), (-5, 3.0), (1, 3.0), (40, 0.05), (1000, 0)] as [(Int64, Double)] {
            let limit = BandwidthLimit(bytesPerSecond: rate, clock: clock.netClock)
            let begin = clock.now
            try await clock.run { try await limit.wait(for: 4) }
            #expect(clock.now - begin == .seconds(seconds), "\(rate)")
        }
    }
}
