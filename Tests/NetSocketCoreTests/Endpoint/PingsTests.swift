import NetCore
import NetSocketCore
import Synchronization
import Testing

/// The matching of pongs to pings, and the results for waiting tasks.
struct PingsTests {
    private func payload(_ number: UInt64) -> Bytes { Bytes("\(number)".utf8) }

    /// Returns the result for a task that begins to wait now; nil if it would keep waiting.
    private func outcome(_ pings: Pings, of ping: Pings.Ping) async -> Pings.Outcome? {
        let state = Mutex(pings)
        let fallback = Pings.Outcome.failed(NetError(.cancelled, phase: .waiting, message: "nobody has told it"))
        // Already released: the wait returns immediately. Otherwise this is the first release.
        let late = state.withLock { $0.waiters.release(ping.waiter, with: fallback) }
        late?.resume()
        let found = await WaiterList.wait(ping.waiter, fallback: fallback) { change in
            state.withLock { change(&$0.waiters) }
        }
        if case .failed(let error) = found, error.code == .cancelled { return nil }
        return found
    }

    @Test func aPongEndsItsPingAndTellsTheTime() async {
        var pings = Pings()
        #expect(!pings.areAwaited)
        let (first, second) = (pings.begin(now: .seconds(1)), pings.begin(now: .seconds(2)))
        #expect(first.number == 1)
        #expect(second.payload == Bytes("2".utf8))
        #expect(pings.areAwaited)
        #expect(pings.answer(payload(1), now: .seconds(5))?.time == .seconds(4))
        #expect(pings.areAwaited)
        guard case .answered(.seconds(4))? = await outcome(pings, of: first) else {
            Issue.record("not answered")
            return
        }
        #expect(await outcome(pings, of: second) == nil)
        #expect(pings.answer(payload(2), now: .seconds(5))?.time == .seconds(3))
        #expect(!pings.areAwaited)
    }

    /// RFC 6455 section 5.5.3.
    @Test func aPongEndsAllEarlierPings() async {
        var pings = Pings()
        let (first, second) = (pings.begin(now: .seconds(1)), pings.begin(now: .seconds(2)))
        let third = pings.begin(now: .seconds(3))
        #expect(pings.answer(second.payload, now: .seconds(5))?.time == .seconds(3))
        guard case .answered(.seconds(4))? = await outcome(pings, of: first) else {
            Issue.record("not answered")
            return
        }
        #expect(pings.areAwaited)
        #expect(await outcome(pings, of: third) == nil)
    }

    @Test func otherPongsAreIgnored() {
        var pings = Pings()
        let ping = pings.begin(now: .zero)
        for other in [
            Bytes(), Bytes("01".utf8), Bytes("+1".utf8), Bytes("1 ".utf8), Bytes("1.0".utf8), Bytes([1]), payload(0),
            payload(2), payload(.max), Bytes("18446744073709551617".utf8), Bytes([0, 0, 0, 0, 0, 0, 0, 1]),
        ] { #expect(pings.answer(other, now: .seconds(1)) == nil) }
        #expect(pings.areAwaited)
        #expect(ping.number == 1)
        #expect(pings.answer(payload(1), now: .seconds(1)) != nil)
        #expect(pings.answer(payload(1), now: .seconds(2)) == nil, "it came already")
    }

    @Test func numbersOfSeveralDigitsAreRead() {
        var pings = Pings()
        for _ in 0..<258 { _ = pings.beginUnawaited(now: .zero) }
        #expect(pings.answer(Bytes("258".utf8), now: .seconds(1))?.time == .seconds(1))
    }

    @Test func aQuestionTakesThePlaceOfAnEarlierOneAndOfNoPing() {
        var pings = Pings()
        #expect(pings.beginUnawaited(now: .seconds(1)) == payload(1))
        #expect(pings.beginUnawaited(now: .seconds(2)) == payload(2))
        let ping = pings.begin(now: .seconds(2))
        #expect(pings.answer(payload(1), now: .seconds(3)) == nil)
        let answer = pings.answer(payload(2), now: .seconds(3))
        #expect(answer?.time == .seconds(1))
        #expect(answer?.waiters.isEmpty == true)
        #expect(pings.areAwaited)
        #expect(pings.answer(ping.payload, now: .seconds(3)) != nil)
        #expect(!pings.areAwaited)
    }

    @Test func theEndOfTheConnectionFailsAllPingsAndThoseThatFollow() async {
        var pings = Pings()
        let before = pings.begin(now: .zero)
        _ = pings.beginUnawaited(now: .zero)
        #expect(pings.fail(NetError(.connectionLost, phase: .receiving, message: "first")).isEmpty)
        #expect(!pings.areAwaited)
        #expect(pings.fail(NetError(.timeout, phase: .receiving, message: "second")).isEmpty)
        let after = pings.begin(now: .zero)
        #expect(pings.beginUnawaited(now: .zero) == payload(4))
        #expect(!pings.areAwaited)
        for ping in [before, after] {
            guard case .failed(let error)? = await outcome(pings, of: ping) else {
                Issue.record("not failed")
                return
            }
            #expect(error.code == .connectionLost)
        }
    }

    @Test func aPingWhoseTaskIsGoneIsForgotten() {
        var pings = Pings()
        let ping = pings.begin(now: .zero)
        pings.end(ping)
        #expect(!pings.areAwaited)
        #expect(pings.waiters.isEmpty)
        #expect(pings.answer(payload(1), now: .seconds(1)) == nil)
    }
}
