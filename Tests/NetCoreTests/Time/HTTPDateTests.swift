import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@Suite struct HTTPDateTests {
    @Test(
        "All three forms of RFC 9110 are read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) {
        #expect(HTTPDate.date(from: text) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        "Anything else is no date",
        arguments: [
            "", " ", "0", "-1", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 1900 00:00:00 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:37:00 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08::37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 31-Feb-94 08:49:37 GMT", "Sunday, 06--94 08:49:37 GMT",
            "Sun Nov 31 08:49:37 1994", "Sun Nov 6 08:49:37 94", "١, 06 Nov 1994 08:49:37 GM", "\0", "Sun, , , , , GMT",
        ])
    func noDate(text: String) {
        #expect(HTTPDate.date(from: text) == nil)
    }

    @Test func leapDaysAndTwoDigitYearsAreUnderstood() {
        #expect(HTTPDate.date(from: "Tue, 29 Feb 2000 00:00:00 GMT") == Date(timeIntervalSince1970: 951_782_400))
        #expect(HTTPDate.date(from: "Friday, 01-Jan-70 00:00:00 GMT") == Date(timeIntervalSince1970: 0))
        #expect(HTTPDate.date(from: "Tuesday, 01-Jan-69 00:00:00 GMT") == Date(timeIntervalSince1970: 3_124_224_000))
    }

    @Test func everyPrefixOfADateIsNoDate() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            for length in 0..<text.count { #expect(HTTPDate.date(from: String(text.prefix(length))) == nil) }
        }
    }

    @Test func datesRoundTripAndMatchPython() async throws {
        let random = SeededRandom(seed: 12)
        var seconds = (0..<300).map { _ in Int64(random.next() % 253_402_300_800) }
        seconds += [0, 951_782_399, 951_782_400, 4_107_542_399, 4_107_542_400, 253_402_300_799]
        let program = """
            import json, sys, datetime, email.utils
            utc, day = datetime.timezone.utc, datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
            json.dump([email.utils.format_datetime(day + datetime.timedelta(seconds=s), usegmt=True)
                       for s in json.load(sys.stdin)], sys.stdout)
            """
        let expected = try await Tool.python(program, seconds, as: [String].self)
        for (second, text) in zip(seconds, expected) {
            let date = Date(timeIntervalSince1970: Double(second))
            #expect(HTTPDate.string(from: date) == text)
            #expect(HTTPDate.date(from: text) == date)
        }
        for _ in 0..<300 {
            let date = Date(timeIntervalSince1970: Double(Int64(random.next() % 60_000_000_000) - 60_000_000_000))
            #expect(HTTPDate.date(from: HTTPDate.string(from: date)) == date)
        }
    }

    @Test("No date traps", arguments: [.infinity, -.infinity, .nan, 1e300, -1e300, 1e18, -1e18, 253_402_300_800])
    func extremes(seconds: Double) {
        #expect(HTTPDate.string(from: Date(timeIntervalSince1970: seconds)).utf8.count == 29)
    }

    @Test(
        "Retry-After is read in seconds and as a date",
        arguments: [
            ("0", Duration.zero), ("120", .seconds(120)), (" 7\t", .seconds(7)), ("007", .seconds(7)),
            ("99999999999", .seconds(10_000_000_000)), ("99999999999999999999999", .seconds(10_000_000_000)),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)), ("Sun, 06 Nov 1994 08:49:00 GMT", .zero),
            ("", nil), ("-1", nil), ("+5", nil), ("1.5", nil), ("5 s", nil), ("5 5", nil), ("soon", nil), ("٣", nil),
            ("0x5", nil),
        ])
    func retryAfter(text: String, expected: Duration?) {
        #expect(HTTPDate.delay(retryAfter: text, now: Date(timeIntervalSince1970: 784_111_777)) == expected)
    }
}
