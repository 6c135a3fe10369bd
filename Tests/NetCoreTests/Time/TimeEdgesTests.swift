import Foundation
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite struct CalendarTests {
    @Test(arguments: [-402, -2, 1898, 1998, 2098] as [Int64]) func everyDayFollowsTheOneBefore(_ first: Int64) {
        var (year, month, day) = (first, 1 as Int64, 1 as Int64)
        var number = RFC3339.daysFromCivil(year: year, month: month, day: day)
        while year < first + 6 {
            guard RFC3339.daysFromCivil(year: year, month: month, day: day) == number,
                RFC3339.civil(fromDays: number) == (year, month, day)
            else {
                Issue.record("\(year)-\(month)-\(day)")
                return
            }
            number += 1
            day += 1
            guard day > RFC3339.daysIn(month: month, year: year) else { continue }
            (day, month) = (1, month + 1)
            if month > 12 { (month, year) = (1, year + 1) }
        }
    }

    @Test(
        arguments: [
            (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (0, 3, 1, -719_468),
            (0, 2, 29, -719_469), (-1, 12, 31, -719_529), (1600, 2, 29, -135_081), (9999, 12, 31, 2_932_896),
            (-400, 3, 1, -865_565), (-400, 2, 29, -865_566),
        ] as [(Int64, Int64, Int64, Int64)])
    func daysAreCountedFromTheEpoch(_ year: Int64, _ month: Int64, _ day: Int64, _ days: Int64) {
        #expect(RFC3339.daysFromCivil(year: year, month: month, day: day) == days)
        #expect(RFC3339.civil(fromDays: days) == (year, month, day))
    }

    @Test func monthsHaveTheirDays() {
        #expect(
            (1...12).map { RFC3339.daysIn(month: $0, year: 2023) } == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
        #expect(
            [1900, 2000, 2004, 2100, 2001, 400].map { RFC3339.daysIn(month: 2, year: $0) } == [28, 29, 29, 28, 28, 29])
    }

    @Test(
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
            (0.0004, "1970-01-01T00:00:00Z"), (0.0006, "1970-01-01T00:00:00.001Z"), (0.05, "1970-01-01T00:00:00.050Z"),
            (86_399.9996, "1970-01-02T00:00:00Z"), (3_661, "1970-01-01T01:01:01Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
            (-1e15, "0000-01-01T00:00:00Z"), (1e15, "9999-12-31T23:59:59.999Z"), (-86_400, "1969-12-31T00:00:00Z"),
            (-86_401, "1969-12-30T23:59:59Z"),
        ] as [(Double, String)])
    func aDateIsWrittenToTheMillisecond(_ seconds: Double, _ text: String) {
        #expect(RFC3339.format(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func onlyYearsOfFourDigitsAreWritten() {
        for (seconds, isWritten) in [
            (-62_167_219_200.0, true), (-62_167_219_200.0004, true), (-62_167_219_200.001, false),
            (253_402_300_799.999, true), (253_402_300_799.9994, true), (253_402_300_800, false), (0, true),
            (.nan, false),
        ] {
            #expect(RFC3339.canFormat(Date(timeIntervalSince1970: seconds)) == isWritten, "\(seconds)")
        }
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0.0), ("1970-01-01t00:00:00z", 0), ("1970-01-01 00:00:00Z", 0),
            ("1970-01-01T23:59:60Z", 86_400), ("1970-01-01T00:00:00.5Z", 0.5),
            ("1970-01-01T01:30:00+01:30", 0), ("1969-12-31T22:30:00-01:30", 0),
            ("1970-01-01T23:59:00+23:59", 0), ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("1970-01-01T00:00:00-00:00", 0),
        ] as [(String, Double)])
    func aDateTimeIsRead(_ text: String, _ seconds: Double) {
        #expect(RFC3339.date(from: text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        arguments: [
            "", "1970", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T00:00Z", "1970-00-01T00:00:00Z",
            "1970-13-01T00:00:00Z", "1970-01-00T00:00:00Z", "1970-01-32T00:00:00Z", "2023-02-29T00:00:00Z",
            "1970-04-31T00:00:00Z", "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z",
            "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+00:60",
            "1970-01-01T00:00:00+0000",
            "1970-01-01T00:00:00Zx", "1970/01-01T00:00:00Z", "1970-01/01T00:00:00Z", "1970-01-01X00:00:00Z",
            "1970-01-01T00-00:00Z", "1970-01-01T00:00-00Z", "197:-01-01T00:00:00Z", "197/-01-01T00:00:00Z",
            "1970-01-01T00:00:00.:Z", "1970-01-01T00:00:00./Z", "+970-01-01T00:00:00Z", "1970-01-01T00:00:00 01:00",
            "1970-1-01T00:00:00Z", "1970-01-01T00:00:00+1:00", "1970-01-01T00:00:00,5Z",
        ] as [String])
    func anythingElseIsNoDateTime(_ text: String) {
        #expect(RFC3339.date(from: text) == nil, "\(text)")
    }
}

@Suite struct HTTPDateEdgesTests {
    @Test func everyDayOfAWeekAndMonthOfAYearHasItsName() {
        let names = (0..<8).map {
            String(HTTPDate.string(from: Date(timeIntervalSince1970: Double($0) * 86_400)).prefix(3))
        }
        #expect(names == ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed", "Thu"])
        let before = (1...7).map {
            String(HTTPDate.string(from: Date(timeIntervalSince1970: Double(-$0) * 86_400)).prefix(3))
        }
        #expect(before == ["Wed", "Tue", "Mon", "Sun", "Sat", "Fri", "Thu"])
        for (index, month) in ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            .enumerated()
        {
            let text = "Sun, 06 \(month) 1994 08:49:37 GMT"
            let date = HTTPDate.date(from: text)
            #expect(
                date.map { String(HTTPDate.string(from: $0).dropFirst(5)) } == String(text.dropFirst(5)), "\(index)")
        }
    }

    @Test(
        arguments: [
            (0.0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (-86_400, "Wed, 31 Dec 1969 00:00:00 GMT"), (-86_401, "Tue, 30 Dec 1969 23:59:59 GMT"),
            (0.9, "Thu, 01 Jan 1970 00:00:00 GMT"), (-0.1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (3_661, "Thu, 01 Jan 1970 01:01:01 GMT"),
            (-1e15, "Sat, 01 Jan 0000 00:00:00 GMT"), (1e15, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (86_399, "Thu, 01 Jan 1970 23:59:59 GMT"),
        ] as [(Double, String)])
    func aDateIsWritten(_ seconds: Double, _ text: String) {
        #expect(HTTPDate.string(from: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01-Jan-70 00:00:00 GMT", 0),
            ("Wed, 31-Dec-69 00:00:00 GMT", 3_155_673_600), ("Sat, 01-Jan-00 00:00:00 GMT", 946_684_800),
            ("Fri, 31-Dec-99 00:00:00 GMT", 946_598_400),
            ("Sun, 06 Nov 1994 23:59:60 GMT", 784_166_400), ("Sun, 6 Nov 1994 00:00:00 GMT", 784_080_000),
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
        ] as [(String, Double)])
    func theThreeFormsAreRead(_ text: String, _ seconds: Double) {
        #expect(HTTPDate.date(from: text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        arguments: [
            "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 199x 08:49:37 GMT", "Sun, 06 Nov 199/ 08:49:37 GMT", "Sun, 06 Nov 199: 08:49:37 GMT",
            "Sunday 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 UTC",
            "Sunday, 06-Nov 08:49:37 GMT",
            "Sunday, 06-Nov-9x 08:49:37 GMT", "Sun Nov  6 08:49:37 94", "", "x", "Sun, 06 Nov 1994 08:49:37:00 GMT",
            "Sun, 06 Nov 1994 GMT GMT",
        ] as [String])
    func anythingElseIsNoDate(_ text: String) {
        #expect(HTTPDate.date(from: text) == nil, "\(text)")
    }

    @Test(
        arguments: [
            ("0", Duration.zero), (" 120\t", .seconds(120)), ("10000000000", .seconds(10_000_000_000)),
            ("10000000001", .seconds(10_000_000_000)), ("99999999999999999999", .seconds(10_000_000_000)), ("-1", nil),
            ("1.5", nil), ("1 2", nil), ("", nil), ("/", nil), (":", nil),
            ("Thu, 01 Jan 1970 00:00:10 GMT", .milliseconds(9500)), ("Thu, 01 Jan 1970 00:00:00 GMT", .zero),
            ("Wed, 31 Dec 1969 00:00:00 GMT", .zero), ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(10_000_000_000)),
        ] as [(String, Duration?)])
    func aDelayIsSecondsOrADate(_ text: String, _ delay: Duration?) {
        #expect(HTTPDate.delay(retryAfter: text, now: Date(timeIntervalSince1970: 0.5)) == delay)
    }
}

@Suite struct DurationEdgesTests {
    private let most = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
    private let least = Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999)

    @Test func secondsOutOfRangeAreTheNearest() {
        #expect(Duration.nearest(seconds: .nan) == .zero)
        #expect(Duration.nearest(seconds: 1.5) == .milliseconds(1500))
        #expect(Duration.nearest(seconds: .infinity) == .seconds(1.7e20))
        #expect(Duration.nearest(seconds: -.infinity) == .seconds(-1.7e20))
        #expect(Duration.milliseconds(-1500).inSeconds == -1.5)
        #expect(most.inSeconds == Double(Int64.max))
        #expect(Duration.seconds(Int64.max).clampedComponents == (.max, 0))
        #expect(Duration.seconds(1.7e20).clampedComponents == (.max, 0))
        #expect(Duration.seconds(Int64.min).clampedComponents == (.min, 0))
        #expect(Duration.seconds(-1.7e20).clampedComponents == (.min, 0))
        #expect(
            (Duration.seconds(Int64.max) - .nanoseconds(1)).clampedComponents == (
                Int64.max - 1, 999_999_999_000_000_000
            ))
        #expect(least.clampedComponents == (.min, 0))
    }

    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.milliseconds(1) + .nanoseconds(1), 2),
            (.seconds(2), 2000), (.nanoseconds(-1), 0), (.milliseconds(-1), -1), (.milliseconds(-1500), -1500),
            (.microseconds(-1500), -1), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
            (.seconds(9_223_372_036_854_775) + .milliseconds(807), .max),
            (.seconds(9_223_372_036_854_775) + .milliseconds(806), .max - 1),
            (.seconds(9_223_372_036_854_775) + .milliseconds(808), .max),
            (.seconds(-9_223_372_036_854_775) - .milliseconds(809), .min), (.seconds(-9_223_372_036_854_776), .min),
            (.seconds(9_223_372_036_854_776), .max),
        ] as [(Duration, Int)])
    func millisecondsAreRoundedUp(_ duration: Duration, _ milliseconds: Int) {
        #expect(duration.inMillisecondsRoundedUp == milliseconds)
    }

    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.nanoseconds(-1), -1), (.seconds(2), 2_000_000_000),
            (.microseconds(-1500), -1_500_000), (.nanoseconds(Int64.max), .max),
            (.nanoseconds(Int64.max) + .nanoseconds(1), .max), (.nanoseconds(Int64.min), .min),
            (.nanoseconds(Int64.min) - .nanoseconds(1), .min), (.seconds(Int64.max), .max),
            (.seconds(Int64.min), .min), (.seconds(9_223_372_037), .max), (.seconds(-9_223_372_037), .min),
        ] as [(Duration, Int64)])
    func nanosecondsAreClamped(_ duration: Duration, _ nanoseconds: Int64) {
        #expect(duration.inNanoseconds == nanoseconds)
    }

    @Test(
        arguments: [
            (Duration.zero, 0, "0"), (.zero, 3, "0.000"), (.milliseconds(1500), 0, "2"), (.milliseconds(1499), 0, "1"),
            (.milliseconds(1500), 1, "1.5"), (.milliseconds(1550), 1, "1.6"), (.milliseconds(1549), 1, "1.5"),
            (.milliseconds(-1500), 3, "-1.500"), (.milliseconds(5), 3, "0.005"), (.microseconds(500), 3, "0.001"),
            (.microseconds(499), 3, "0.000"),
            (.nanoseconds(1), 9, "0.000000001"), (.nanoseconds(1), 10, "0.000000001"), (.milliseconds(1500), -1, "2"),
            (.milliseconds(999), 2, "1.00"), (.seconds(61), 1, "61.0"), (.nanoseconds(Int64.max), 3, "9223372036.855"),
            (.nanoseconds(Int64.min), 0, "-9223372037"),
        ] as [(Duration, Int, String)])
    func secondsAreWrittenWithPlaces(_ duration: Duration, _ places: Int, _ text: String) {
        #expect(duration.seconds(places: places) == text)
    }
}

@Suite(.timeLimit(.minutes(1))) struct RandomTests {
    @Test func unitsAreMadeOfTheUpperBits() {
        #expect(NetRandom { 0 }.unit() == 0)
        #expect(NetRandom { .max }.unit() == 1 - 0x1p-53)
        #expect(NetRandom { 1 << 63 }.unit() == 0.5)
        #expect(NetRandom { 0x7ff }.unit() == 0)
        #expect(NetRandom { 0x800 }.unit() == 0x1p-53)
    }

    @Test func buffersOfEveryLengthAreFilled() {
        for count in [0, 1, 255, 256, 257, 700] {
            let drawn = Locked<UInt64>(0)
            let random = NetRandom {
                drawn.change { $0 += 1 }
                return drawn.value
            }
            var bytes = [UInt8](repeating: 0, count: count)
            bytes.withUnsafeMutableBytes { random.fill($0) }
            #expect(bytes == (0..<count).map { UInt8(truncatingIfNeeded: $0 + 1) })
            #expect(drawn.value == UInt64(count))
            var system = [UInt8](repeating: 0, count: count)
            system.withUnsafeMutableBytes { NetRandom.system.fill($0) }
            #expect(count < 255 || (system.contains { $0 != 0 } && system.suffix(40).contains { $0 != 0 }))
        }
    }

    @Test func thePoolGivesNewNumbersAgainAndAgain() {
        var pool = RandomPool()
        let numbers = (0..<100).map { _ in pool.next() }
        #expect(Set(numbers).count == 100)
        #expect(!numbers.contains(0))
        #expect(Set((0..<100).map { _ in NetRandom.system.next() }).count == 100)
    }

    @Test func aClockSleepsOnlyForAWhile() async throws {
        let waits = Locked<[Duration]>([])
        let clock = NetClock(
            now: { .seconds(7) }, date: { Date(timeIntervalSince1970: 9) },
            sleep: { wait in waits.change { $0.append(wait) } })
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        try await clock.sleep(for: .nanoseconds(1))
        #expect(waits.value == [.nanoseconds(1)])
        #expect(clock.now() == .seconds(7))
        #expect(clock.date().timeIntervalSince1970 == 9)
        #expect(!clock.isSystem)
        #expect(NetClock.system.isSystem)
        #expect(NetClock.system.now() <= NetClock.system.now())
        let task = Task { try await NetClock.system.sleep(for: .seconds(1.7e20)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aClockSleepsUntilAReading() async throws {
        let waits = Locked<[Duration]>([])
        let clock = NetClock(
            now: { .seconds(7) }, date: { Date(timeIntervalSince1970: 9) },
            sleep: { wait in waits.change { $0.append(wait) } })
        for reading in [6, 7, 9] { try await clock.sleep(until: .seconds(reading)) }
        #expect(waits.value == [.seconds(2)])
        let end = NetClock.system.now() + .milliseconds(5)
        try await NetClock.system.sleep(until: end)
        #expect(NetClock.system.now() >= end)
    }
}
