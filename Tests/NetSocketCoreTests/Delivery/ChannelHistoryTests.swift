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

    @Test func missedPushesAreReturned() {
        let history = Self.history(250)
        #expect(history.position == ChannelPosition(epoch: "a", offset: 250))
        let missed = history.pushes(after: ChannelPosition(epoch: "a", offset: 247))
        #expect(missed?.map(\.offset) == [248, 249, 250])
        #expect(history.pushes(after: history.position)?.isEmpty == true)
        #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: 150))?.count == 100)
    }

    @Test func positionsOutsideTheHistoryReturnNil() {
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

    /// After each push, the whole window is available, regardless of how often older pushes were removed.
    @Test(arguments: [(1, 1000), (3, 1000), (70, 1000), (1000, 7), (1000, 140), (0, 1000), (5, 0)])
    func theLastPushesAreThereAfterEachOne(maximumCount: Int, maximumBytes: Int) {
        var history = ChannelHistory(epoch: "a", maximumCount: maximumCount, maximumBytes: maximumBytes)
        #expect(history.offset == 0)
        #expect(history.pushes(after: history.position)?.isEmpty == true)
        for number in UInt64(1)...300 {
            let push = history.append(WirePush(event: "pu", payload: SocketPayload(json: "12345"), topic: "t"))
            #expect(push.offset == number)
            #expect(push.topic == "t")
            #expect(history.offset == number)
            let kept = UInt64(min(Int(number), maximumCount, maximumBytes / 7))
            let all = history.pushes(after: ChannelPosition(epoch: "a", offset: number - kept))
            #expect(all?.compactMap(\.offset) == Array((number - kept + 1)..<(number + 1)))
            if number > kept {
                #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: number - kept - 1)) == nil)
            }
        }
    }

    @Test func aPushThatIsLargerThanAllTakesThePlaceOfAll() {
        var history = ChannelHistory(epoch: "a", maximumCount: 10, maximumBytes: 10)
        _ = history.append(WirePush(event: "p"))
        _ = history.append(WirePush(event: "p", payload: SocketPayload(json: "0123456789")))
        #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: 1)) == nil)
        _ = history.append(WirePush(event: "p", payload: SocketPayload(json: "012345678")))
        #expect(history.pushes(after: ChannelPosition(epoch: "a", offset: 2))?.count == 1)
    }
}
