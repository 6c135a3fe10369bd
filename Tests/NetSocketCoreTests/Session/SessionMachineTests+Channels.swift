import NetCore
import NetSocketCore
import NetTesting
import Testing

/// Joins, leaves, and messages that arrive late.
extension SessionMachineTests {
    @Test func channelsAreJoinedAgainBeforeWhatWaits() {
        var harness = Self.open()
        let join = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room")
        #expect(harness.isSettled(join, "success"))
        harness.lose()
        let (plain, topical) = (harness.request("plain"), harness.request("topical", topic: "room"))
        harness.passTimer()
        harness.connect()
        #expect(harness.sent.isEmpty || !harness.sent.contains { if case .request = $0 { true } else { false } })
        harness.makePayloads()
        #expect(harness.sent.count == 2)
        #expect(harness.sent.dropFirst() == [.request(WireRequest(id: .number(plain), event: "plain"))])
        _ = harness.take()
        harness.answerJoin("room")
        #expect(harness.sent == [.request(WireRequest(id: .number(topical), event: "topical", topic: "room"))])
        let missed = harness.take().compactMap { effect -> MissedPushes? in
            if case .tell(.joined(_, _, let missed)) = effect { missed } else { nil }
        }
        #expect(missed == [.unknown])
    }

    @Test func aRefusedJoinThrowsWhatTheServerSaid() {
        var harness = Self.open()
        let (first, second) = (harness.join("room"), harness.join("room"))
        let waiting = harness.request("a", topic: "room")
        harness.makePayloads()
        harness.answerJoin("room", failure: SocketFailure("forbidden", "members only"))
        for ticket in [first, second] { #expect(harness.isSettled(ticket, "forbidden")) }
        #expect(harness.isSettled(waiting, "notJoined"))
        // It isn't joined again on the next connection.
        harness.lose()
        harness.passTimer()
        _ = harness.take()
        harness.connect()
        harness.makePayloads()
        #expect(harness.sent == [])
    }

    @Test func leavingEndsWhatWaitsForTheChannel() {
        var harness = Self.open()
        let join = harness.join("room")
        harness.makePayloads()
        let leave = harness.machine.makeTicket()
        harness.handle(.leave(leave, topic: "room"))
        #expect(harness.isSettled(join, "notJoined"))
        harness.receive(.left(harness.leaveIDs["room"], topic: "room", nil))
        #expect(harness.isSettled(leave, "success"))
        let late = harness.request("a", topic: "room")
        #expect(harness.isSettled(late, "notJoined"))
    }

    /// The response belongs to a leave that was sent before the join.
    @Test func theAnswerToAnOldLeaveLeavesANewJoinAlone() {
        var harness = Self.open()
        _ = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room")
        let leave = harness.machine.makeTicket()
        harness.handle(.leave(leave, topic: "room"))
        let again = harness.join("room")
        harness.makePayloads()
        harness.receive(.left(harness.leaveIDs["room"], topic: "room", nil))
        harness.answerJoin("room")
        #expect(harness.isSettled(leave, "success"))
        #expect(harness.isSettled(again, "success"))
    }

    @Test func aPayloadThatComesTooLateIsNotThatOfTheNextJoin() {
        var harness = Self.open()
        let first = harness.join("room")
        guard case .makeJoinPayload(let id, _, let old)? = harness.take().last else { return }
        harness.handle(.cancel(first))
        let second = harness.join("room")
        let late = SocketPayload(json: #"{"late":true}"#)
        harness.handle(.joinPayload(id, topic: "room", generation: old, late, nil))
        #expect(harness.sent == [])
        harness.makePayloads()
        harness.answerJoin("room")
        #expect(harness.isSettled(second, "success"))
    }

    @Test func aCancelledJoinHoldsUpNothing() {
        var harness = Self.harness()
        harness.handle(.start)
        let (join, request) = (harness.join("room"), harness.request("a"))
        harness.connect()
        #expect(harness.sent == [])
        harness.handle(.cancel(join))
        #expect(harness.sent == [.request(WireRequest(id: .number(request), event: "a"))])
    }

    @Test func offsetsNeverGoBackAndHolesAreTold() {
        var harness = Self.open()
        _ = harness.join("room")
        harness.makePayloads()
        harness.answerJoin("room", position: ChannelPosition(epoch: "e", offset: 5))
        _ = harness.take()
        for offset: UInt64 in [6, 6, 9, 8, 10] {
            harness.receive(.push(WirePush(event: "", topic: "room", offset: offset)))
        }
        let told = harness.take().map { effect -> String in
            switch effect {
            case .tell(.push(let push)): "\(push.offset ?? 0)"
            case .tell(.gap): "gap"
            default: "?"
            }
        }
        #expect(told == ["6", "gap", "9", "10"])
        // A push that isn't for this client doesn't cause a gap, and isn't delivered.
        harness.receive(.push(WirePush(event: "channel.skipped", topic: "room", offset: 11)))
        #expect(harness.take().isEmpty)
        harness.receive(.push(WirePush(event: "", topic: "room", offset: 12)))
        let next = harness.take()
        if case .tell(.push(let push))? = next.first {
            #expect(push.offset == 12)
            #expect(next.count == 1)
        } else {
            Issue.record("\(next)")
        }
        // The next join contains the last position.
        harness.lose()
        harness.passTimer()
        harness.connect()
        harness.makePayloads()
        #expect(
            harness.sent.contains { signal in
                if case .join(let join) = signal {
                    join.position == ChannelPosition(epoch: "e", offset: 12)
                } else {
                    false
                }
            })
    }
}
