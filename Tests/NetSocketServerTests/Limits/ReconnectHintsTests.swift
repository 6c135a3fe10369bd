#if Server
import NetCore
import NetSocketServer
import NetTesting
import Testing

@Suite struct ReconnectHintsTests {
    private func hints(_ count: Int, _ seconds: Int = 30, seed: UInt64 = 1) -> ReconnectHints {
        ReconnectHints(count: count, over: .seconds(seconds), random: SeededRandom(seed: seed).netRandom)
    }

    @Test func `Each connection has a moment in its own part of the time`() {
        let hints = hints(3000)
        for index in 0..<3000 {
            let delay = hints.delay(of: index)
            let part = Duration.milliseconds(10)
            // A nanosecond of tolerance for rounding.
            #expect(delay >= part * index - .nanoseconds(1))
            #expect(delay <= part * (index + 1) + .nanoseconds(1))
        }
    }

    @Test func `No second has many more connections than another`() {
        let hints = hints(1000, 10)
        let seconds = (0..<1000).map { Int(hints.delay(of: $0).components.seconds) }
        for second in 0..<10 { #expect((99...101).contains(seconds.count { $0 == second })) }
    }

    @Test func `The same random numbers make the same delays`() {
        let (one, two, other) = (hints(10), hints(10), hints(10, seed: 2))
        let delays = (0..<10).map { one.delay(of: $0) }
        #expect(delays == (0..<10).map { two.delay(of: $0) })
        #expect(delays != (0..<10).map { other.delay(of: $0) })
    }

    @Test(arguments: [(0, 0), (0, 5), (10, 10), (10, -1), (-3, 0), (1, .max), (1, .min)])
    func `A connection that wasn't counted gets any moment`(_ count: Int, _ index: Int) {
        let hints = hints(count)
        let delays = (0..<200).map { _ in hints.delay(of: index) }
        #expect(delays.allSatisfy { $0 >= .zero && $0 < .seconds(30) })
        #expect(delays.contains { $0 < .seconds(10) })
        #expect(delays.contains { $0 > .seconds(20) })
    }

    @Test func `Over no time, nobody waits`() {
        for seconds in [0, -5] { #expect(hints(4, seconds).delay(of: 2) == .zero) }
    }
}
#endif
