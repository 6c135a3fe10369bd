import NetCore
import NetSocketCore
import NetTesting
import Testing

/// Random walks of sessions that follow the network and connect when needed.
struct SessionNetworkWalkTests {
    private static let statuses = [
        NetworkStatus(.reachable, interfaces: [.wifi]), NetworkStatus(.reachable, interfaces: [.cellular]),
        NetworkStatus(.unreachable), NetworkStatus(),
    ]

    private func walk(seed: UInt64, steps: Int) -> [String] {
        var settings = SessionMachine.Settings(features: SocketWire.json.features)
        settings.maximumQueueCount = 4
        if seed % 2 == 0 { settings.idleTimeout = .seconds(20) }
        var harness = SessionHarness(settings)
        let random = SeededRandom(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        var tickets: Set<UInt64> = []
        var faults: [String] = []
        var status: NetworkStatus?
        harness.handle(.start)
        for _ in 0..<steps {
            let number = UInt64(below(Int(harness.machine.makeTicket()) + 2))
            let ticket = harness.machine.makeTicket()
            switch below(20) {
            case 0: if below(40) == 0 { harness.handle(.close) }
            case 1: harness.handle([.pause, .resume, .resume, .reconnect][below(4)])
            case 2...4: harness.connect()
            case 5: harness.lose(closure: [nil, 1001, 1012][below(3)])
            case 6...8: harness.passTimer()
            case 9, 10: tickets.insert(harness.request("e", wantsReply: below(3) > 0))
            case 11: tickets.insert(harness.join("a"))
            case 12:
                tickets.insert(ticket)
                harness.handle(.leave(ticket, topic: "a"))
            case 13: harness.makePayloads()
            case 14: harness.receive(.reply(WireReply(id: .number(number), .success(nil))))
            case 15: harness.answerJoin("a")
            case 16: if let id = harness.leaveIDs["a"] { harness.receive(.left(id, topic: "a", nil)) }
            case 17, 18:
                let next = Self.statuses[below(4)]
                status = next
                harness.handle(.network(next))
            default: if let open = harness.open { harness.handle(.heard(open)) }
            }
            if status?.reachability == .unreachable, harness.timers[.reconnect] != nil {
                faults.append("it counts the time without a network")
            }
            let isNeeded = tickets.contains { harness.settled[$0] == nil }
            if case .idle = harness.machine.state, isNeeded { faults.append("it is idle and needed") }
            if settings.idleTimeout == nil, harness.timers[.idle] != nil { faults.append("it becomes idle unasked") }
        }
        harness.handle(.close)
        for ticket in tickets where harness.settled[ticket]?.count != 1 { faults.append("\(ticket) has no end") }
        if !harness.timers.isEmpty { faults.append("timers are left: \(harness.timers.keys)") }
        return (harness.faults + faults).map { "seed \(seed): \($0)" }
    }

    @Test func everyTicketIsSettledOnceWhateverTheNetworkDoes() {
        for seed in 0..<1000 as Range<UInt64> {
            let faults = walk(seed: seed, steps: 200)
            #expect(faults == [])
            if !faults.isEmpty { break }
        }
    }
}
