import NetCore
import NetSocketCore
import Testing

/// Channels that are left, joined again and recovered.
struct SessionChannelTests {
    /// Returns an open session with a joined channel.
    private static func joined(at position: ChannelPosition? = nil) -> SessionHarness {
        var harness = SessionHarness(SessionMachine.Settings(features: SocketWire.json.features))
        harness.handle(.start)
        harness.connect()
        _ = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room", position: position)
        _ = harness.take()
        return harness
    }

    @Test func joiningAChannelThatIsBeingLeftTellsItsEndFirst() {
        var harness = Self.joined()
        harness.handle(.leave(harness.machine.makeTicket(), topic: "room"))
        _ = harness.take()
        _ = harness.join("room")
        #expect(harness.timers[.join(topic: "room")] == nil)
        #expect(harness.take().contains { if case .tell(.left("room", nil)) = $0 { true } else { false } })
    }

    // MARK: Crashes

    private static func crashing() -> SessionHarness {
        let features = SocketWire.json.features.union(.crashes)
        var harness = SessionHarness(SessionMachine.Settings(features: features))
        harness.handle(.start)
        harness.connect()
        _ = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room")
        _ = harness.take()
        return harness
    }

    private static let crash = WireSignal.left(nil, topic: "room", SocketFailure("phx_error"))

    @Test func aChannelThatHasCrashedIsJoinedAgainLaterAndLater() {
        var harness = Self.crashing()
        for wait in [1, 2, 5, 10, 10] {
            let start = harness.now
            harness.receive(Self.crash)
            #expect(harness.timers[.join(topic: "room")] == start + .seconds(wait))
            #expect(harness.take().contains { if case .tell(.interrupted("room")) = $0 { true } else { false } })
            harness.now = start + .seconds(wait)
            harness.handle(.timer(.join(topic: "room"), SessionHarness.chance))
            harness.makePayloads()
            harness.answerJoin("room")
            let isJoined = harness.take().contains { effect in
                if case .tell(.joined("room", _, .unknown)) = effect { true } else { false }
            }
            #expect(isJoined)
            #expect(harness.faults == [])
        }
    }

    @Test func theNextConnectionDoesNotWaitForAChannelThatHasCrashed() {
        var harness = Self.crashing()
        harness.receive(Self.crash)
        harness.lose()
        #expect(harness.timers[.join(topic: "room")] == nil)
        harness.handle(.resume)
        harness.connect()
        harness.makePayloads()
        #expect(harness.joinIDs["room"] != nil)
        harness.answerJoin("room")
        #expect(harness.machine.hasChannel("room"))
        #expect(harness.faults == [])
    }

    @Test func aChannelThatTheServerEndsWithoutAFailureIsLeft() {
        var harness = Self.crashing()
        harness.receive(.left(nil, topic: "room", nil))
        #expect(!harness.machine.hasChannel("room"))
    }

    @Test func requestsOnALeftChannelFailWhenTheConnectionIsLost() {
        var harness = Self.joined()
        let ticket = harness.request("a", topic: "room", offline: .resend)
        harness.handle(.leave(harness.machine.makeTicket(), topic: "room"))
        #expect(harness.settled[ticket] == nil)
        harness.lose()
        #expect(harness.isSettled(ticket, "mayHaveArrived: true"))
    }

    @Test func anAnswerToAJoinDoesNotLeadBackOverWhatWasReceived() {
        let position = ChannelPosition(epoch: "e", offset: 10)
        var harness = Self.joined(at: position)
        for (isRecovered, known) in [(true, UInt64(10)), (nil, 10), (false, 8)] {
            harness.handle(.reconnect)
            harness.connect()
            harness.makePayloads()
            _ = harness.take()
            let missed = [9, 10].map { WirePush(event: "", topic: "room", offset: $0) }
            if let id = harness.joinIDs["room"] {
                harness.receive(
                    .joined(
                        WireJoined(
                            id: id, topic: "room", position: ChannelPosition(epoch: "e", offset: 8),
                            isRecovered: isRecovered, missed: isRecovered == true ? missed : [])))
            }
            harness.receive(.push(WirePush(event: "", topic: "room", offset: 9)))
            let pushes = harness.take().filter { if case .tell(.push) = $0 { true } else { false } }
            #expect(pushes.count == (known < 9 ? 1 : 0))
        }
    }
}
