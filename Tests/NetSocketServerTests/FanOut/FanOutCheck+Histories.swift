#if Server
import NetCore
import NetSocketServer
import Testing

extension FanOutCheck {
    static let histories = [
        FanOutCheck("A history has everything after a position, for every server") { world in
            _ = try await world.open("a", "b")
            let retention = FanOutRetention(count: 10)
            let now = try await world.first.history(of: "room", after: nil)
            #expect(now.position.offset == 0)
            #expect(now.pushes.isEmpty)
            #expect(now.isComplete)
            for event in ["one", "two", "three"] {
                _ = try await world.first.publish(.sample(event), keeping: retention)
            }
            let all = try await world.second.history(of: "room", after: now.position)
            #expect(all.pushes.map(\.event) == ["one", "two", "three"])
            #expect(all.pushes.map(\.offset) == [1, 2, 3])
            #expect(all.pushes.first?.payload == SocketPayload(json: #"{"text":"hello"}"#))
            #expect(all.isComplete)
            #expect(all.position == ChannelPosition(epoch: now.position.epoch, offset: 3))
            let rest = try await world.second.history(of: "room", after: position(all, 2))
            #expect(rest.pushes.map(\.event) == ["three"])
            #expect(rest.isComplete)
            let none = try await world.second.history(of: "room", after: all.position)
            #expect(none == FanOutHistory(position: all.position))
            #expect(try await world.second.history(of: "room", after: nil) == none)
        },
        FanOutCheck("A history that is asked for another epoch, or for the future, isn't complete") { world in
            _ = try await world.open("a")
            let position = try await world.first.publish(.sample("one"), keeping: FanOutRetention(count: 10))
            let other = try await world.first.history(of: "room", after: ChannelPosition(epoch: "?", offset: 1))
            #expect(!other.isComplete)
            #expect(other.position == position)
            var future = position
            future.offset = 2
            #expect(try await world.first.history(of: "room", after: future).isComplete == false)
            future.offset = .max
            #expect(try await world.first.history(of: "room", after: future).isComplete == false)
        },
        FanOutCheck("Topics have epochs and offsets of their own") { world in
            _ = try await world.open("a")
            let one = try await world.first.publish(.sample("m", to: "one"), keeping: FanOutRetention(count: 10))
            let two = try await world.first.publish(.sample("m", to: "two"), keeping: FanOutRetention(count: 10))
            #expect(one.offset == 1)
            #expect(two.offset == 1)
            #expect(one.epoch != two.epoch)
        },
        FanOutCheck("A history keeps the last pushes by number") { world in
            _ = try await world.open("a")
            let retention = FanOutRetention(count: 3)
            for number in 1...5 { _ = try await world.first.publish(.sample("\(number)"), keeping: retention) }
            let now = try await world.first.history(of: "room", after: nil)
            let cut = try await world.first.history(of: "room", after: position(now, 1))
            #expect(!cut.isComplete)
            let whole = try await world.first.history(of: "room", after: position(now, 2))
            #expect(whole.isComplete)
            #expect(whole.pushes.map(\.event) == ["3", "4", "5"])
            #expect(cut.pushes == whole.pushes)
        },
        FanOutCheck("A history keeps the last pushes by size") { world in
            _ = try await world.open("a")
            let size = 5 + #"{"text":"hello"}"#.utf8.count
            let retention = FanOutRetention(count: 100, bytes: 2 * size)
            for number in 1...5 { _ = try await world.first.publish(.sample("no. \(number)"), keeping: retention) }
            let now = try await world.first.history(of: "room", after: nil)
            #expect(try await world.first.history(of: "room", after: position(now, 2)).isComplete == false)
            let rest = try await world.first.history(of: "room", after: position(now, 3))
            #expect(rest.isComplete)
            #expect(rest.pushes.map(\.event) == ["no. 4", "no. 5"])
        },
        FanOutCheck("Without a history, only where nothing was missed is complete, and offsets count on") { world in
            _ = try await world.open("a")
            let none = FanOutRetention(count: 0)
            let first = try await world.first.publish(.sample("one"), keeping: none)
            #expect(try await world.first.history(of: "room", after: first).isComplete)
            let second = try await world.first.publish(.sample("two"), keeping: none)
            #expect(second == ChannelPosition(epoch: first.epoch, offset: 2))
            let missed = try await world.first.history(of: "room", after: first)
            #expect(!missed.isComplete)
            #expect(missed.pushes.isEmpty)
        },
        FanOutCheck("The retention of the last message holds for those before it") { world in
            _ = try await world.open("a")
            let start = try await world.first.publish(.sample("one"), keeping: FanOutRetention(count: 10))
            for _ in 1...3 { _ = try await world.first.publish(.sample("more"), keeping: FanOutRetention(count: 10)) }
            _ = try await world.first.publish(.sample("last"), keeping: FanOutRetention(count: 1))
            let history = try await world.first.history(of: "room", after: start)
            #expect(!history.isComplete)
            #expect(history.pushes.map(\.event) == ["last"])
        },
        FanOutCheck("A history expires some time after its last push, and the offsets count on") { world in
            _ = try await world.open("a")
            try await world.first.subscribe(to: "room")
            let retention = FanOutRetention(count: 10, time: .seconds(5))
            let first = try await world.first.publish(.sample("one"), keeping: retention)
            try await world.elapse(.seconds(3))
            let second = try await world.first.publish(.sample("two"), keeping: retention)
            try await world.elapse(.seconds(3))
            #expect(try await world.first.history(of: "room", after: first).pushes.map(\.event) == ["two"])
            try await world.elapse(.seconds(3))
            let history = try await world.first.history(of: "room", after: first)
            #expect(!history.isComplete)
            #expect(history.pushes.isEmpty)
            #expect(history.position == second)
            #expect(try await world.first.history(of: "room", after: second).isComplete)
            let third = try await world.first.publish(.sample("three"), keeping: retention)
            #expect(third == ChannelPosition(epoch: first.epoch, offset: 3))
        },
    ]

    private static func position(_ history: FanOutHistory, _ offset: UInt64) -> ChannelPosition {
        ChannelPosition(epoch: history.position.epoch, offset: offset)
    }
}
#endif
