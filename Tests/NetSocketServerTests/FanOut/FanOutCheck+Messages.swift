#if Server
import NetCore
import NetSocketServer
import Testing

extension FanOutCheck {
    private static let kept = FanOutRetention(count: 100)

    static let messages = [
        FanOutCheck("Messages arrive whole, in order, with offsets from 1") { world in
            let inbox = try await world.open("a")[0]
            try await world.first.subscribe(to: "room")
            var positions: [ChannelPosition] = []
            for number in 1...20 {
                let message = FanOutMessage.sample("\(number)", id: "id-\(number)", except: "connection 7")
                positions.append(try await world.first.publish(message, keeping: kept))
            }
            let received = await inbox.messages(20)
            #expect(received.map(\.push.event) == (1...20).map(String.init))
            #expect(received.map(\.push.offset) == (1...20).map { UInt64($0) })
            #expect(positions.map(\.offset) == (1...20).map { UInt64($0) })
            #expect(Set(positions.map(\.epoch)).count == 1)
            var expected = FanOutMessage.sample("20", id: "id-20", except: "connection 7")
            expected.push.offset = 20
            #expect(received.last == expected)
        },
        FanOutCheck("Messages of one topic from many tasks arrive once and in the order of their offsets") { world in
            let inboxes = try await world.open("a", "b")
            for engine in world.engines { try await engine.subscribe(to: "room") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    let engine = world.engines[task % 2]
                    group.addTask {
                        for number in 0..<50 {
                            _ = try await engine.publish(.sample("\(task).\(number)"), keeping: kept)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for inbox in inboxes {
                let received = await inbox.messages(400)
                #expect(received.map(\.push.offset) == (1...400).map { UInt64($0) })
                #expect(Set(received.map(\.push.event)).count == 400)
            }
        },
        FanOutCheck("Two servers each receive everything, with the same offsets") { world in
            let inboxes = try await world.open("a", "b")
            for engine in world.engines { try await engine.subscribe(to: "room") }
            _ = try await world.first.publish(.sample("one", except: "c"), keeping: kept)
            _ = try await world.second.publish(.sample("two", from: "b"), keeping: kept)
            let received = (await inboxes[0].messages(2), await inboxes[1].messages(2))
            #expect(received.0 == received.1)
            #expect(received.0.map(\.push.event) == ["one", "two"])
            #expect(received.0.map(\.except) == ["c", nil])
            #expect(received.0.map(\.node) == ["a", "b"])
        },
        FanOutCheck("A server receives only what it has subscribed to, and once") { world in
            let inboxes = try await world.open("a", "b")
            try await world.first.subscribe(to: "room")
            try await world.first.subscribe(to: "room")
            try await world.second.subscribe(to: "other")
            _ = try await world.second.publish(.sample("one"), keeping: kept)
            _ = try await world.second.publish(.sample("two", to: "other"), keeping: kept)
            _ = try await world.second.publish(.sample("three"), keeping: kept)
            #expect(await inboxes[0].events(2) == ["one", "three"])
            #expect(await inboxes[1].events(1) == ["two"])
        },
        FanOutCheck("Nothing that is published after unsubscribing is delivered") { world in
            let inbox = try await world.open("a")[0]
            for topic in ["room", "other"] { try await world.first.subscribe(to: topic) }
            _ = try await world.first.publish(.sample("one"), keeping: kept)
            _ = await inbox.messages(1)
            try await world.first.unsubscribe(from: "room")
            try await world.first.unsubscribe(from: "room")
            try await world.first.unsubscribe(from: "unknown")
            let missed = try await world.first.publish(.sample("two"), keeping: kept)
            _ = try await world.first.publish(.sample("three", to: "other"), keeping: kept)
            #expect(await inbox.events(2) == ["one", "three"])
            #expect(missed.offset == 2)
            try await world.first.subscribe(to: "room")
            _ = try await world.first.publish(.sample("four"), keeping: kept)
            #expect(await inbox.messages(3).last?.push.offset == 3)
        },
        FanOutCheck("A message with a known ID isn't published again") { world in
            let inbox = try await world.open("a", "b")[0]
            try await world.first.subscribe(to: "room")
            let first = try await world.first.publish(.sample("one", id: "x"), keeping: kept)
            _ = try await world.first.publish(.sample("two", id: "y"), keeping: kept)
            let again = try await world.second.publish(.sample("one", id: "x"), keeping: kept)
            #expect(again == first)
            let elsewhere = try await world.first.publish(.sample("one", to: "other", id: "x"), keeping: kept)
            #expect(elsewhere.offset == 1)
            _ = try await world.first.publish(.sample("three", id: "z"), keeping: kept)
            #expect(await inbox.events(3) == ["one", "two", "three"])
            let history = try await world.first.history(of: "room", after: first)
            #expect(history.pushes.map(\.event) == ["two", "three"])
        },
        FanOutCheck("Messages without an ID are never taken for each other") { world in
            let inbox = try await world.open("a")[0]
            try await world.first.subscribe(to: "room")
            for _ in 1...3 { _ = try await world.first.publish(.sample("same"), keeping: kept) }
            #expect(await inbox.messages(3).map(\.push.offset) == [1, 2, 3])
        },
        FanOutCheck("The last 1,000 IDs of a topic are remembered") { world in
            _ = try await world.open("a")
            for number in 1...1000 {
                _ = try await world.first.publish(.sample("m", id: "id-\(number)"), keeping: FanOutRetention(count: 1))
            }
            let again = try await world.first.publish(.sample("m", id: "id-1"), keeping: FanOutRetention(count: 1))
            #expect(again.offset == 1)
            let next = try await world.first.publish(.sample("m", id: "id-1001"), keeping: FanOutRetention(count: 1))
            #expect(next.offset == 1001)
        },
        FanOutCheck("A message that isn't kept takes no offset and arrives in order") { world in
            let inbox = try await world.open("a")[0]
            try await world.first.subscribe(to: "room")
            let start = try await world.first.publish(.sample("one"), keeping: kept)
            let typing = try await world.first.publish(.sample("typing"), keeping: nil)
            #expect(typing == start)
            _ = try await world.first.publish(.sample("two"), keeping: kept)
            let received = await inbox.messages(3)
            #expect(received.map(\.push.event) == ["one", "typing", "two"])
            #expect(received.map(\.push.offset) == [1, nil, 2])
            let history = try await world.first.history(of: "room", after: start)
            #expect(history.pushes.map(\.event) == ["two"])
            #expect(history.isComplete)
        },
    ]
}
#endif
