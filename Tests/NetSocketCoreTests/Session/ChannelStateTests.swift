import NetCore
import NetSocketCore
import Testing

/// The states of channels, and the notifications about them.
struct ChannelStateTests {
    private static func open() -> SessionHarness {
        var harness = SessionHarness(SessionMachine.Settings(features: SocketWire.json.features))
        harness.handle(.start)
        harness.connect()
        _ = harness.take()
        return harness
    }

    private static func told(_ harness: SessionHarness) -> [String] {
        harness.effects.compactMap { effect in
            guard case .tell(let notice) = effect else { return nil }
            return "\(notice)".prefix { $0 != "(" }.description
        }
    }

    @Test func aChannelGoesThroughItsStates() {
        var harness = Self.open()
        #expect(harness.machine.channelState("a") == .left)
        _ = harness.join("a")
        #expect(harness.machine.channelState("a") == .waiting)
        harness.makePayloads()
        #expect(harness.machine.channelState("a") == .joining)
        harness.answerJoin("a")
        #expect(harness.machine.channelState("a") == .joined)
        #expect(Self.told(harness) == ["joining", "joined"])
        let ticket = harness.machine.makeTicket()
        harness.handle(.leave(ticket, topic: "a"))
        #expect(harness.machine.channelState("a") == .leaving)
        if let id = harness.leaveIDs["a"] { harness.receive(.left(id, topic: "a", nil)) }
        #expect(harness.machine.channelState("a") == .left)
        #expect(Self.told(harness) == ["joining", "joined", "leaving", "left"])
    }

    @Test func itWaitsForTheNextConnection() {
        var harness = Self.open()
        _ = harness.join("a")
        harness.makePayloads()
        harness.answerJoin("a")
        harness.lose()
        #expect(harness.machine.channelState("a") == .waiting)
    }

    @Test(arguments: ["refused", "timed out", "given up"])
    func everyJoinThatWasSentAndFailsIsToldAsLeft(end: String) {
        var harness = Self.open()
        let ticket = harness.join("a")
        harness.makePayloads()
        switch end {
        case "refused": harness.answerJoin("a", failure: SocketFailure("no"))
        case "timed out": harness.passTimer()
        default: harness.handle(.cancel(ticket))
        }
        #expect(harness.machine.channelState("a") == .left)
        #expect(Self.told(harness) == ["joining", "left"])
    }
}
