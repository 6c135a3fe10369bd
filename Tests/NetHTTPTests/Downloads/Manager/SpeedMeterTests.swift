import Testing

@testable import NetHTTP

struct SpeedMeterTests {
    private func speed(_ meter: inout SpeedMeter, _ time: Duration) -> Double? { meter.speed(at: time) }

    @Test func theSpeedIsThatOfTheLastThreeSeconds() {
        var meter = SpeedMeter()
        #expect(speed(&meter, .zero) == nil)
        meter.note(0, at: .zero)
        #expect(speed(&meter, .zero) == nil)
        // 1,000 bytes per second for 5 s, then 3,000.
        for tenth in 1...50 { meter.note(Int64(tenth) * 100, at: .milliseconds(tenth * 100)) }
        let slow = meter.speed(at: .seconds(5)) ?? 0
        #expect(abs(slow - 1000) < 1)
        for tenth in 1...30 { meter.note(5000 + Int64(tenth) * 300, at: .milliseconds(5000 + tenth * 100)) }
        let fast = meter.speed(at: .seconds(8)) ?? 0
        #expect(abs(fast - 3000) < 1)
    }

    @Test func itFallsToZeroWhenNothingComes() {
        var meter = SpeedMeter()
        meter.note(0, at: .zero)
        meter.note(3000, at: .seconds(1))
        #expect(speed(&meter, .seconds(3)) == 1000)
        #expect(speed(&meter, .seconds(4)) == 0)
        #expect(speed(&meter, .seconds(400)) == 0)
    }

    @Test func fewerBytesThanBeforeBeginAnew() {
        var meter = SpeedMeter()
        meter.note(0, at: .zero)
        meter.note(5000, at: .seconds(1))
        meter.note(0, at: .seconds(1))
        #expect(speed(&meter, .seconds(1)) == nil)
        meter.note(100, at: .seconds(2))
        #expect(speed(&meter, .seconds(2)) == 100)
    }

    @Test func manySmallNotesAreKeptInALittleMemory() {
        var meter = SpeedMeter()
        for step in 0..<100_000 { meter.note(Int64(step), at: .microseconds(step * 50)) }
        #expect(Mirror(reflecting: meter).children.first.map { ($0.value as? [Any])?.count ?? 0 } ?? 0 < 40)
        let speed = meter.speed(at: .seconds(5)) ?? 0
        #expect(abs(speed - 20_000) < 50)
    }
}
