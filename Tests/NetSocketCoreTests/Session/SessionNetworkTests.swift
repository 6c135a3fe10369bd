import NetCore
import NetSocketCore
import Testing

/// A session's behavior when the network changes.
struct SessionNetworkTests {
    private static let wifi = NetworkStatus(.reachable, interfaces: [.wifi])
    private static let cellular = NetworkStatus(.reachable, interfaces: [.cellular])
    private static let offline = NetworkStatus(.unreachable)

    private static func harness(_ status: NetworkStatus?, policy: ReconnectPolicy = ReconnectPolicy()) -> SessionHarness
    {
        // Without heartbeats, so that only the network's timers are set.
        var settings = SessionMachine.Settings(features: [.requests, .notifications])
        settings.policy = policy
        var harness = SessionHarness(settings)
        harness.handle(.start)
        if let status { harness.handle(.network(status)) }
        harness.connect()
        _ = harness.take()
        return harness
    }

    private static func isProbed(_ harness: SessionHarness) -> Bool {
        harness.effects.contains { if case .probe = $0 { true } else { false } }
    }

    private static func waits(_ harness: SessionHarness) -> (attempt: Int, wait: Duration?)? {
        if case .waiting(let attempt, let wait, _) = harness.machine.state { (attempt, wait) } else { nil }
    }

    // MARK: Waiting

    @Test func aChangeEndsTheWait() {
        var harness = Self.harness(Self.wifi)
        harness.lose()
        #expect(Self.waits(harness)?.wait == .milliseconds(500))
        harness.handle(.network(Self.cellular))
        #expect(harness.states.last == "connecting")
        #expect(harness.timers.isEmpty)
        #expect(harness.now == .zero)
    }

    @Test func insignificantPathUpdatesDoNotEndTheWait() {
        for first in [nil, Self.wifi] {
            var harness = Self.harness(first)
            harness.lose()
            var dear = Self.wifi
            (dear.isExpensive, dear.isConstrained) = (true, true)
            harness.handle(.network(dear))
            #expect(harness.states.last == "waiting")
            #expect(harness.timers[.reconnect] != nil)
        }
    }

    @Test func withoutANetworkItWaitsAndCountsNoFailure() {
        var harness = Self.harness(Self.offline, policy: ReconnectPolicy(maximumAttempts: 2))
        for _ in 0..<5 {
            harness.lose()
            #expect(harness.states.last == "waiting")
            #expect(Self.waits(harness)?.wait == nil)
            #expect(harness.timers.isEmpty)
            #expect(Self.waits(harness)?.attempt == 1)
            harness.handle(.network(Self.wifi))
            #expect(harness.states.last == "connecting")
            harness.connect()
            harness.handle(.network(Self.offline))
        }
    }

    @Test func aWaitBecomesEndlessWhenTheNetworkGoes() {
        var harness = Self.harness(Self.wifi)
        harness.lose()
        harness.handle(.network(Self.offline))
        #expect(Self.waits(harness)?.wait == nil)
        #expect(Self.waits(harness)?.attempt == 2)
        #expect(harness.timers.isEmpty)
        // A deadline that had already passed.
        harness.handle(.timer(.reconnect, SessionHarness.chance))
        #expect(harness.states.last == "waiting")
        harness.handle(.network(Self.wifi))
        #expect(harness.states == ["connecting", "open", "waiting", "waiting", "connecting"])
    }

    @Test func theFirstStatusCanBeThatThereIsNoNetwork() {
        var harness = Self.harness(nil)
        harness.lose()
        harness.handle(.network(Self.offline))
        #expect(Self.waits(harness)?.wait == nil)
        #expect(harness.timers.isEmpty)
    }

    /// A hint may be wrong.
    @Test func aCallerCanConnectAgainstTheHint() {
        for event in [SessionMachine.Event.resume, .reconnect] {
            var harness = Self.harness(Self.offline)
            harness.lose()
            harness.handle(event)
            harness.connect()
            #expect(harness.states.last == "open")
        }
    }

    @Test func anEndThatIsFinalIsFinalWithoutANetwork() {
        var harness = Self.harness(Self.offline)
        harness.lose(closure: 1008)
        #expect(harness.states.last == "failed")
        harness.handle(.network(Self.wifi))
        #expect(harness.states.last == "failed")
        #expect(harness.timers.isEmpty)
    }

    // MARK: Open

    @Test func aConnectionThatIsSilentAfterAChangeIsLost() {
        var harness = Self.harness(Self.wifi)
        let ticket = harness.request("a")
        harness.handle(.network(Self.cellular))
        #expect(Self.isProbed(harness))
        #expect(harness.timers[.probe] == .seconds(5))
        harness.now = .seconds(4)
        harness.handle(.timer(.probe, SessionHarness.chance))
        #expect(harness.states.last == "open")
        harness.passTimer()
        #expect(harness.states.suffix(2) == ["waiting", "connecting"])
        #expect(harness.now == .seconds(5))
        #expect(harness.open == nil)
        #expect(harness.timers.isEmpty)
        #expect(harness.isSettled(ticket, "mayHaveArrived: true"))
    }

    @Test func aConnectionHasLittleTimeAfterAnOutageThatEndsElsewhere() {
        for (way, limit) in [(Self.cellular, Duration.milliseconds(500)), (Self.wifi, .seconds(5))] {
            var harness = Self.harness(Self.wifi)
            harness.handle(.network(Self.offline))
            #expect(!Self.isProbed(harness))
            harness.handle(.network(way))
            #expect(Self.isProbed(harness))
            #expect(harness.timers[.probe] == limit)
        }
        var harness = Self.harness(Self.offline)
        harness.handle(.network(Self.cellular))
        #expect(harness.timers[.probe] == .seconds(5), "there was no other way before")
    }

    @Test func anythingThatIsHeardKeepsIt() {
        for isSignal in [true, false] {
            var harness = Self.harness(Self.wifi)
            harness.handle(.network(Self.cellular))
            if isSignal {
                harness.receive(.push(WirePush(event: "a")))
            } else if let open = harness.open {
                harness.handle(.heard(open))
            }
            harness.passTimer()
            #expect(harness.states.last == "open")
        }
    }

    @Test func theFirstStatusAndTheEndOfTheNetworkProbeNothing() {
        for (first, second) in [(nil, Self.wifi), (Self.wifi, Self.offline), (Self.wifi, Self.wifi)] {
            var harness = Self.harness(first)
            harness.handle(.network(second))
            #expect(!Self.isProbed(harness))
            #expect(harness.states.last == "open")
        }
    }

    @Test func theNextConnectionHasNoDeadlineOfTheLastOne() {
        var harness = Self.harness(Self.wifi)
        harness.handle(.network(Self.cellular))
        harness.lose()
        #expect(harness.timers.keys.elementsEqual([.reconnect]))
        harness.passTimer()
        harness.connect()
        harness.now = .seconds(60)
        harness.handle(.timer(.probe, SessionHarness.chance))
        #expect(harness.states.last == "open")
    }
}
