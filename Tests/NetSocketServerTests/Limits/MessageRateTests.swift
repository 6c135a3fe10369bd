#if Server
import NetCore
import NetSocketServer
import Testing

@Suite struct MessageRateTests {
    private func rate(_ change: (inout SocketServerLimits) -> Void) -> MessageRate {
        var limits = SocketServerLimits.unlimited
        change(&limits)
        return MessageRate(limits, at: .seconds(100))
    }

    /// Returns the time until reading continues, in milliseconds; nil if it needn't stop.
    private func wait(_ verdict: MessageRate.Verdict, from now: Duration = .seconds(100)) -> Int? {
        guard case .wait(let until) = verdict else { return nil }
        return Int((until - now) / .milliseconds(1))
    }

    @Test func `Without limits everything is ok`() {
        var rate = rate { _ in }
        for _ in 0..<10_000 { #expect(rate.message(of: 1 << 20, at: .seconds(100)) == .ok) }
        for _ in 0..<10_000 { #expect(rate.join(at: .seconds(100)) == .ok) }
    }

    @Test func `Messages beyond the burst slow the connection down`() {
        var rate = rate { $0.messages = SocketRateLimit(perSecond: 10, burst: 5) }
        for _ in 0..<5 { #expect(rate.message(of: 0, at: .seconds(100)) == .ok) }
        #expect(wait(rate.message(of: 0, at: .seconds(100))) == 100)
        #expect(wait(rate.message(of: 0, at: .seconds(100))) == 200)
        #expect(rate.message(of: 0, at: .milliseconds(100_301)) == .ok)
        #expect(rate.message(of: 0, at: .milliseconds(100_302)) != .ok)
    }

    @Test func `Clients that wait as requested may continue`() {
        var rate = rate { $0.messages = SocketRateLimit(perSecond: 3, burst: 1) }
        var now = Duration.seconds(100)
        for _ in 0..<200 {
            switch rate.message(of: 0, at: now) {
            case .ok: break
            case .wait(let until):
                #expect(until > now)
                #expect(until <= now + .milliseconds(334))
                now = until
            case .exceeded: Issue.record("exceeded at \(now)")
            }
        }
        #expect(now > .seconds(100) + .seconds(198) / 3)
        #expect(now < .seconds(100) + .seconds(200) / 3)
    }

    @Test func `Bytes beyond the burst slow the connection down, but a large message gets through`() {
        var rate = rate { $0.bytes = SocketRateLimit(perSecond: 1000, burst: 4000) }
        #expect(rate.message(of: 4000, at: .seconds(100)) == .ok)
        #expect(wait(rate.message(of: 500, at: .seconds(100))) == 500)
        #expect(rate.message(of: 500, at: .seconds(102)) == .ok)
        #expect(wait(rate.message(of: 50_000, at: .seconds(102)), from: .seconds(102)) == 49_000)
    }

    @Test func `The longer wait counts`() {
        var rate = rate {
            $0.messages = SocketRateLimit(perSecond: 1, burst: 1)
            $0.bytes = SocketRateLimit(perSecond: 1000, burst: 1000)
        }
        _ = rate.message(of: 1000, at: .seconds(100))
        #expect(wait(rate.message(of: 500, at: .seconds(100))) == 1000)
        #expect(wait(rate.message(of: 2000, at: .seconds(100))) == 2500)
    }

    @Test func `Clients that don't wait exceed the rate at some point`() {
        var rate = rate { $0.messages = SocketRateLimit(perSecond: 10, burst: 5) }
        let verdicts = (0..<200).map { _ in rate.message(of: 0, at: .seconds(100)) }
        #expect(verdicts.firstIndex(of: .exceeded) == 105)
        #expect(verdicts.last == .exceeded)
    }

    @Test func `Where excess closes, nothing waits`() {
        var rate = rate {
            $0.messages = SocketRateLimit(perSecond: 10, burst: 2)
            $0.bytes = SocketRateLimit(perSecond: 1000, burst: 1000)
            $0.excess = .close
        }
        #expect(rate.message(of: 10, at: .seconds(100)) == .ok)
        #expect(rate.message(of: 10, at: .seconds(100)) == .ok)
        #expect(rate.message(of: 10, at: .seconds(100)) == .exceeded)
        #expect(rate.message(of: 5000, at: .seconds(101)) == .ok)
        #expect(rate.message(of: 10, at: .seconds(102)) == .exceeded)
        #expect(rate.message(of: 10, at: .seconds(107)) == .ok)
    }

    @Test func `Joins beyond the rate are refused`() {
        var rate = rate { $0.joins = SocketRateLimit(perSecond: 1, burst: 2) }
        let verdicts = (0..<3).map { _ in rate.join(at: .seconds(100)) }
        #expect(verdicts == [.ok, .ok, .exceeded])
        #expect(rate.join(at: .seconds(101)) == .ok)
        #expect(rate.join(at: .seconds(101)) == .exceeded)
    }

    @Test(arguments: [0, -1, Double.nan, -Double.infinity, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func `Limits that make no sense make no trap`(_ number: Double) {
        var rate = rate {
            $0.messages = SocketRateLimit(perSecond: number, burst: number)
            $0.bytes = SocketRateLimit(perSecond: number)
            $0.joins = SocketRateLimit(perSecond: 1, burst: number)
        }
        for second in [100, 50, 101, 1_000_000_000] {
            for _ in 0..<3 {
                _ = rate.message(of: .max, at: .seconds(second))
                _ = rate.join(at: .seconds(second))
            }
        }
    }

    @Test func `Time that goes back takes nothing`() {
        var rate = rate { $0.joins = SocketRateLimit(perSecond: 1, burst: 2) }
        #expect(rate.join(at: .seconds(100)) == .ok)
        #expect(rate.join(at: .seconds(50)) == .ok)
        #expect(rate.join(at: .seconds(51)) == .exceeded)
        #expect(rate.join(at: .seconds(101)) == .ok)
    }

    @Test func `A long time fills no more than the burst`() {
        var rate = rate { $0.joins = SocketRateLimit(perSecond: 1, burst: 2) }
        let verdicts = (0..<3).map { _ in rate.join(at: .seconds(10_000)) }
        #expect(verdicts == [.ok, .ok, .exceeded])
    }
}

@Suite struct SocketServerLimitsTests {
    @Test func `Defaults`() {
        let limits = SocketServerLimits()
        #expect(limits.connections == 10_000)
        #expect(limits.connectionsPerAddress == 100)
        #expect(limits.connectionsPerUser == 50)
        #expect(limits.handshakesPerAddress == SocketRateLimit(perSecond: 10, burst: 50))
        #expect(limits.limitsPrivateAddresses == false)
        #expect(limits.retryAfter == .seconds(5))
        #expect(limits.messages == SocketRateLimit(perSecond: 1000, burst: 10_000))
        #expect(limits.bytes == SocketRateLimit(perSecond: 16_777_216, burst: 67_108_864))
        #expect(limits.excess == .slowDown)
        #expect(limits.messageBytes == 1_048_576)
        #expect(limits.channelsPerConnection == 100)
        #expect(limits.joins == SocketRateLimit(perSecond: 10, burst: 200))
        #expect(limits.headerBytes == 16_384)
        #expect(limits.handshakeTime == .seconds(10))
        #expect(limits.firstMessageTime == .seconds(10))
        #expect(SocketRateLimit(perSecond: 7) == SocketRateLimit(perSecond: 7, burst: 7))
    }

    @Test func `A client that comes back may join all its channels at once`() throws {
        let limits = SocketServerLimits()
        let (joins, channels) = (try #require(limits.joins), try #require(limits.channelsPerConnection))
        #expect(joins.burst >= Double(channels))
    }

    @Test func `A connection may send the largest message at once`() throws {
        let limits = SocketServerLimits()
        #expect(try #require(limits.bytes).burst >= Double(limits.messageBytes))
    }
}
#endif
