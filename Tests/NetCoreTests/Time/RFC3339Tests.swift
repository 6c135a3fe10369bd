import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@Suite struct RFC3339Tests {
    @Test(
        "A date-time is read",
        arguments: [
            ("1970-01-01T00:00:00Z", 0.0), ("2026-01-31T12:00:00Z", 1_769_860_800), ("1969-12-31T23:59:59Z", -1),
            ("1985-04-12T23:20:50.52Z", 482_196_050.52), ("1996-12-19T16:39:57-08:00", 851_042_397),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13), ("1990-12-31T23:59:60Z", 662_688_000),
            ("2000-02-29t00:00:00z", 951_782_400), ("2000-02-29 00:00:00-00:00", 951_782_400),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("1970-01-01T00:00:00.123456789123456789Z", 0.123456789), ("1970-01-01T23:59:00+23:59", 0),
        ])
    func valid(text: String, seconds: Double) throws {
        let read = try #require(RFC3339.date(from: text))
        #expect(abs(read.timeIntervalSince(Date(timeIntervalSince1970: seconds))) < 1e-6)
    }

    @Test(
        "Anything else is no date-time",
        arguments: [
            "", "2026", "2026-01-31", "2026-01-31T12:00:00", "2026-1-31T12:00:00Z", "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-00T00:00:00Z", "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z",
            "2026-01-31T12:00:61Z", "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00,5Z", "2026-01-31T12:00:00+0100",
            "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+01:60", "2026-01-31T12:00:00+01", "2026-01-31T12:00:00Zx",
            "2026-01-31T12:00:00 Z", " 2026-01-31T12:00:00Z", "+026-01-31T12:00:00Z", "2026-01-31X12:00:00Z",
            "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "２０２６-01-31T12:00:00Z", "2026-01-31T12:00:00é",
        ])
    func invalid(text: String) {
        #expect(RFC3339.date(from: text) == nil)
    }

    @Test func everyPrefixIsNoDateTime() {
        let text = "1996-12-19T16:39:57.250-08:00"
        for length in 0..<text.count { #expect(RFC3339.date(from: String(text.prefix(length))) == nil) }
    }

    @Test func datesRoundTripToTheMillisecond() async throws {
        let random = SeededRandom(seed: 14)
        let dates = (0..<500).map { _ in
            Date(timeIntervalSince1970: Double(Int64(random.next() % 315_569_520_000_000) - 62_167_219_200_000) / 1000)
        }
        let texts = dates.map { RFC3339.format($0) }
        for (date, text) in zip(dates, texts) {
            let read = try #require(RFC3339.date(from: text))
            #expect((read.timeIntervalSince1970 * 1000).rounded() == (date.timeIntervalSince1970 * 1000).rounded())
        }
        // Python supports years from 1 on.
        let program = """
            import json, sys, datetime
            epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
            json.dump([None if t[:4] == '0000' else
                       round((datetime.datetime.fromisoformat(t.replace('Z', '+00:00')) - epoch)
                             / datetime.timedelta(milliseconds=1)) for t in json.load(sys.stdin)], sys.stdout)
            """
        let read = try await Tool.python(program, texts, as: [Int?].self)
        for (date, milliseconds) in zip(dates, read) {
            guard let milliseconds else { continue }
            #expect(Double(milliseconds) == (date.timeIntervalSince1970 * 1000).rounded())
        }
    }

    @Test(
        "No date traps",
        arguments: [
            (Double.infinity, "9999-12-31T23:59:59.999Z"), (-.infinity, "0000-01-01T00:00:00Z"),
            (1e300, "9999-12-31T23:59:59.999Z"), (253_402_300_799.9999, "9999-12-31T23:59:59.999Z"),
            (-1e18, "0000-01-01T00:00:00Z"), (-0.0001, "1970-01-01T00:00:00Z"), (0.9996, "1970-01-01T00:00:01Z"),
        ])
    func extremes(seconds: Double, text: String) {
        #expect(RFC3339.format(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func notANumberDoesNotTrapEither() {
        #expect(!RFC3339.canFormat(Date(timeIntervalSince1970: .nan)))
        #expect(RFC3339.date(from: RFC3339.format(Date(timeIntervalSince1970: .nan))) != nil)
    }

    @Test func daysAndDatesAgreeOverFourCenturies() {
        for day in Int64(-200_000)..<200_000 where day % 7 == 0 {
            let (year, month, dayOfMonth) = RFC3339.civil(fromDays: day)
            #expect(RFC3339.daysFromCivil(year: year, month: month, day: dayOfMonth) == day)
        }
    }
}
