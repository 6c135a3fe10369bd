import NetCore
import NetSocketCore
import Testing

/// Heartbeats whose intervals the server specifies for each direction, in milliseconds, as STOMP does; zero for none.
struct SessionHeartbeatTests {
    /// Opens a session with a server that announces its longest silence and the interval of the client's heartbeats.
    private static func open(
        silence: Int?, interval: Int?, features: SocketWire.Features = [.opening, .pushes]
    ) -> SessionHarness {
        var settings = SessionMachine.Settings(features: features)
        settings.policy = .never
        var harness = SessionHarness(settings)
        harness.handle(.start)
        harness.connect()
        harness.makePayloads()
        harness.receive(
            .opened(
                WireOpened(
                    heartbeat: silence.map { .milliseconds($0) }, heartbeatInterval: interval.map { .milliseconds($0) })
            ))
        _ = harness.take()
        return harness
    }

    /// Runs a session for 20 s, in which the server sends something at an interval, and returns the number of the
    /// client's heartbeats.
    private static func run(_ harness: inout SessionHarness, server interval: Int?) -> Int {
        let end = Duration.seconds(20)
        var next = interval.map { Duration.milliseconds($0) }
        while harness.open != nil {
            let timer = harness.timers.values.min()
            guard let due = [timer, next].compactMap({ $0 }).min(), due <= end else { break }
            if due == next, let interval {
                harness.now = due
                harness.receive(.alive(nil))
                next = due + .milliseconds(interval)
            } else {
                harness.passTimer()
            }
        }
        return harness.sent.filter { if case .heartbeat = $0 { true } else { false } }.count
    }

    @Test(
        arguments: [
            (2000, 1000, 1500, 20), (1000, 2000, 900, 10), (0, 1000, nil, 20), (1000, 0, 900, 0), (0, 0, nil, 0),
        ] as [(Int, Int, Int?, Int)])
    func aLivingServerIsKept(silence: Int, interval: Int, server: Int?, beats: Int) {
        var harness = Self.open(silence: silence, interval: interval)
        #expect(Self.run(&harness, server: server) == beats)
        #expect(harness.states == ["connecting", "open"])
    }

    @Test(
        arguments: [
            (2000, 1000, 2000), (1000, 2000, 1000), (0, 1000, nil), (1000, 0, 1000), (0, 0, nil), (nil, 1000, nil),
            (nil, nil, nil), (3000, nil, 3000),
        ] as [(Int?, Int?, Int?)])
    func aSilentServerIsLeftAfterItsLongestSilence(silence: Int?, interval: Int?, end: Int?) {
        var harness = Self.open(silence: silence, interval: interval)
        _ = Self.run(&harness, server: nil)
        #expect(harness.states == ["connecting", "open"] + (end == nil ? [] : ["failed"]))
        if let end { #expect(harness.now == .milliseconds(end)) }
    }

    /// The silence counts from the last data, not from a tick of the client's own timer.
    @Test func theSilenceBeginsWithTheLastData() {
        var harness = Self.open(silence: 2000, interval: 0)
        harness.now = .milliseconds(1900)
        harness.receive(.push(WirePush(event: "news")))
        _ = Self.run(&harness, server: nil)
        #expect(harness.now == .milliseconds(3900))
    }

    /// A server that replies to heartbeats must have sent something between two of them, unless it specifies its
    /// silence.
    @Test(
        arguments: [
            (nil, nil, 60_000), (nil, 1000, 2000), (1000, nil, 2000), (5000, 1000, 5000), (0, nil, nil), (0, 1000, nil),
        ] as [(Int?, Int?, Int?)])
    func aServerThatRepliesToHeartbeats(silence: Int?, interval: Int?, end: Int?) {
        var harness = Self.open(silence: silence, interval: interval, features: [.opening, .heartbeats])
        if end == 60_000 {
            harness.passTimer()
            harness.passTimer()
        } else {
            _ = Self.run(&harness, server: nil)
        }
        #expect(harness.states == ["connecting", "open"] + (end == nil ? [] : ["failed"]))
        if let end { #expect(harness.now == .milliseconds(end)) }
    }

    @Test func theNextConnectionHasItsOwnHeartbeats() {
        var harness = Self.open(silence: 2000, interval: 1000)
        harness.handle(.reconnect)
        #expect(harness.timers.isEmpty)
        harness.connect()
        harness.makePayloads()
        harness.receive(.opened(WireOpened()))
        #expect(harness.timers.isEmpty)
    }
}
