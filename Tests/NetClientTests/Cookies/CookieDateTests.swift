import Foundation
import NetClient
import NetCore
import NetTesting
import Testing

@Suite struct CookieDateTests {
    private func seconds(_ text: String) -> Int? {
        CookieDate.date(from: Array(text.utf8)).map { Int($0.timeIntervalSince1970) }
    }

    @Test(
        "Every form that servers write is read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06-Nov-1994 08:49:37 GMT", "6 nov 1994 8:49:37", "08:49:37 6 NOVEMBER 1994", "1994 Nov 6 08:49:37",
            "Nov.6.1994.08:49:37", "06\tNov\t94\t08:49:37", "sunday,november/6/94,8:49:37",
            "8:49:37abc 6th novwhatever 1994x",
            "Sun, 06 Nov 1994 08:49:37 GMT+0100", "6 Nov 94 8:49:37 PST 12:00:00 3 Dec 2001",
        ])
    func forms(text: String) {
        #expect(seconds(text) == 784_111_777)
    }

    @Test(
        "Invalid dates are rejected",
        arguments: [
            "", "tomorrow", "06 Nov 1994", "Nov 1994 08:49:37", "06 1994 08:49:37", "06 Nov 08:49:37",
            "32 Nov 1994 08:49:37", "0 Nov 1994 08:49:37", "31 Nov 1994 08:49:37", "29 Feb 1995 08:49:37",
            "06 Nov 1994 24:49:37", "06 Nov 1994 08:60:37", "06 Nov 1994 08:49:60", "06 Nov 1600 08:49:37",
            "006 Nov 1994 08:49:37", "06 Nov 19945 08:49:37", "06 Nov 1994 008:49:37", "06 Nov 1994 08:49:037",
            "06 Nov 1994 8 :49:37", "06 Nov 1994 08:4x:37", "06 No 1994 08:49:37", "06 Nov 1994 -08:-49:-37x:",
        ])
    func refusals(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test func yearsOfTwoDigitsLieBetween1970And2069() {
        for (year, full) in [(70, 1970), (99, 1999), (0, 2000), (69, 2069)] {
            let short = year < 10 ? "0\(year)" : "\(year)"
            #expect(seconds("1 Jan \(short) 00:00:00") == seconds("1 Jan \(full) 00:00:00"))
            #expect(seconds("1 Jan \(full) 00:00:00") != nil)
        }
        #expect(seconds("1 Jan 100 00:00:00") == nil)
        #expect(seconds("29 Feb 2000 23:59:59") == 951_868_799)
    }

    @Test func everyHTTPDateIsTheSameDateHere() {
        let random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            let date = Date(timeIntervalSince1970: Double(random.next() % 8_000_000_000) - 4_000_000_000)
            #expect(seconds(HTTPDate.string(from: date)) == Int(date.timeIntervalSince1970))
        }
    }

    @Test func noTextBreaksTheReader() {
        let random = SeededRandom(seed: 8)
        let alphabet = Array("0123456789: -;,JanFebdec\u{301}é".utf8) + [0, 255, 9]
        for _ in 0..<5000 {
            let count = Int(random.next() % 40)
            _ = CookieDate.date(from: (0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
        }
    }
}
