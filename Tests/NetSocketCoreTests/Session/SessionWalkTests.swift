import NetCore
import NetSocketCore
import NetTesting
import Testing

/// Random walks through the whole alphabet of events, which keep the invariants of the session.
struct SessionWalkTests {
    private static let topics = ["a", "b"]

    /// One walk; what went wrong, with the seed that repeats it.
    private func walk(seed: UInt64, steps: Int, features: SocketWire.Features) -> [String] {
        var settings = SessionMachine.Settings(features: features)
        settings.maximumQueueCount = 4
        var harness = SessionHarness(settings)
        let random = SeededRandom(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        var tickets: Set<UInt64> = []
        var cancelled: Set<UInt64> = []
        for _ in 0..<steps {
            let topic = Self.topics[below(2)]
            let number = UInt64(below(Int(harness.machine.makeTicket()) + 2))
            switch below(26) {
            case 0: harness.handle(.start)
            case 1: if below(40) == 0 { harness.handle(.close) }
            case 2: if below(4) == 0 { harness.handle(.pause) }
            case 3: harness.handle(.resume)
            case 4: if below(3) == 0 { harness.handle(.reconnect) }
            case 5...7: harness.connect()
            case 8: harness.lose(closure: [nil, 1001, 4401, 1012][below(4)])
            case 9: harness.passTimer()
            case 10...12:
                let rules: [OfflineRule] = [.fail, .drop, .queue, .latest(key: "k"), .resend]
                tickets.insert(
                    harness.request(
                        "e", topic: below(2) == 0 ? nil : topic, wantsReply: below(3) > 0, offline: rules[below(5)]))
            case 13:
                // Nobody gives up what has been settled.
                if let ticket = tickets.filter({ harness.settled[$0] == nil }).min() {
                    harness.handle(.cancel(ticket))
                    cancelled.insert(ticket)
                }
            case 14, 15: tickets.insert(harness.join(topic))
            case 16:
                let ticket = harness.machine.makeTicket()
                tickets.insert(ticket)
                harness.handle(.leave(ticket, topic: topic))
            case 17, 18: harness.makePayloads()
            case 19: harness.receive(.opened(WireOpened()))
            case 20: harness.receive(.reply(WireReply(id: .number(number), .success(nil))))
            case 21, 22:
                let recovered = [nil, true, false][below(3)]
                harness.receive(.joined(WireJoined(id: .number(number), topic: topic, isRecovered: recovered)))
            case 23: harness.receive(.joinRefused(.number(number), topic: topic, SocketFailure("no")))
            case 24: harness.receive(.left(nil, topic: topic, below(2) == 0 ? nil : SocketFailure("kicked")))
            default: harness.receive(.push(WirePush(event: "p", topic: topic, offset: number)))
            }
        }
        harness.handle(.close)
        var faults = harness.faults
        for ticket in tickets {
            let count = harness.settled[ticket]?.count ?? 0
            if count > 1 { faults.append("\(ticket) was settled \(count) times") }
            if count == 0, !cancelled.contains(ticket) { faults.append("\(ticket) was never settled") }
        }
        if !harness.timers.isEmpty { faults.append("timers are left: \(harness.timers.keys)") }
        return faults.map { "seed \(seed): \($0)" }
    }

    @Test func everyTicketIsSettledOnceWhateverHappens() {
        for seed in 0..<5000 as Range<UInt64> {
            let features: SocketWire.Features =
                seed % 2 == 0 ? SocketWire.json.features : [.opening, .requests, .channels, .cancellation]
            let faults = walk(seed: seed, steps: 200, features: features)
            #expect(faults == [])
            if !faults.isEmpty { break }
        }
    }
}
