import NetCore
import NetTesting
import Testing

struct FaultScheduleTests {
    @Test func equalSeedsGiveEqualSchedules() {
        let (one, two) = (FaultSchedule(seed: 7), FaultSchedule(seed: 7))
        let other = FaultSchedule(seed: 8)
        let first = (0..<100).map { _ in one.next() }
        #expect(first == (0..<100).map { _ in two.next() })
        #expect(first != (0..<100).map { _ in other.next() })
        #expect(one.history == first)
    }

    @Test func theRateIsTheShareOfFaults() {
        for (rate, range) in [(0.0, 0...0), (0.25, 180...320), (1.0, 1000...1000)] {
            let schedule = FaultSchedule(seed: 3, rate: rate)
            #expect(range.contains((0..<1000).count { _ in schedule.next() != nil }))
        }
    }

    @Test func anotherRateChangesWhoFailsAndNotWithWhat() {
        let (rare, often) = (FaultSchedule(seed: 5, rate: 0.2), FaultSchedule(seed: 5, rate: 0.9))
        for _ in 0..<200 {
            let (some, more) = (rare.next(), often.next())
            #expect(some == nil || some == more)
        }
    }

    @Test func everyFaultOfThePoolComesUp() {
        let schedule = FaultSchedule(seed: 1, rate: 1)
        #expect(Set((0..<1000).compactMap { _ in schedule.next() }) == Set(Fault.finite))
        #expect(FaultSchedule(seed: 1, rate: 1, among: []).next() == nil)
    }
}
