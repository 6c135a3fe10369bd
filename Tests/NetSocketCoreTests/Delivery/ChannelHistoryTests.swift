import NetSocketCore
import Testing

struct ChannelHistoryTests {
    private static func history(_ pushes: Int) -> ChannelHistory {
        var history = ChannelHistory(epoch: "a", maximumCount: 100, maximumBytes: 1000)
        for number in 1...pushes {
            #expect(history.append(WirePush(event: "p")).offset == UInt64(number))
        }
        return history
    }

    @Test func whatWasMissedIsThere() {
        let history = Self.history(250)
        #expect(history.position == ChannelPosition(epoch: "a", offset: 250))
        let missed = history.pushes(after: ChannelPosition(epoch: "a", offset: 247))
        #expect(missed?.map(\.offset) == [248, 249, 250])
        #expect(history.pushes(after: history.position)?.isEmpty == true)
        #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: 150))?.count == 100)
    }

    @Test func whatIsNotThereAnyMoreIsAHole() {
        let history = Self.history(250)
        #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: 149)) == nil)
        #expect(history.pushes(after: ChannelPosition(epoch: "b", offset: 250)) == nil, "of another epoch")
        #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: 251)) == nil, "of the future")
    }

    @Test func bytesAreBounded() {
        var history = ChannelHistory(epoch: "a", maximumCount: 100, maximumBytes: 50)
        for _ in 1...10 { _ = history.append(WirePush(event: "p", payload: SocketPayload(json: "123456789"))) }
        #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: 5))?.count == 5)
        #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: 4)) == nil)
    }
}
