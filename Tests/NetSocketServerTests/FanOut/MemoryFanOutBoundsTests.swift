#if Server
import NetCore
import NetTesting
import Testing

@testable import NetSocketServer

@Suite(.timeLimit(.minutes(5))) struct MemoryFanOutBoundsTests {
    private let clock = TestClock()

    private func open(_ configuration: MemoryFanOut.Configuration = .init()) async throws -> MemoryFanOut {
        let engine = MemoryFanOut(configuration, clock: clock.netClock, random: SeededRandom(seed: 1).netRandom)
        try await engine.open(as: "a") { _ in }
        return engine
    }

    @Test func `Defaults`() {
        let configuration = MemoryFanOut.Configuration()
        #expect(configuration.historyBytes == 268_435_456)
        #expect(configuration.idleTopics == 10_000)
        #expect(configuration.idleTime == .seconds(60))
        #expect(configuration.rememberedIDs == 1000)
    }

    @Test func `A topic that nobody uses is removed after a minute, and then has another epoch`() async throws {
        let engine = try await open()
        try await engine.subscribe(to: "room")
        let first = try await engine.publish(.sample("one"), keeping: .init(count: 0))
        await clock.advance(by: .seconds(1000))
        #expect(engine.topicCount == 1)
        try await engine.unsubscribe(from: "room")
        await clock.advance(by: .seconds(59))
        #expect(try await engine.history(of: "room", after: first).isComplete)
        await clock.advance(by: .seconds(60))
        #expect(engine.topicCount == 0)
        #expect(try await engine.history(of: "room", after: nil).position.epoch != first.epoch)
    }

    @Test func `A history keeps its topic until it expires`() async throws {
        let engine = try await open()
        let first = try await engine.publish(.sample("one"), keeping: .init(count: 5))
        _ = try await engine.publish(.sample("two"), keeping: .init(count: 5))
        await clock.advance(by: .seconds(299))
        #expect(try await engine.history(of: "room", after: first).pushes.map(\.event) == ["two"])
        await clock.advance(by: .seconds(60))
        #expect(engine.topicCount == 0)
    }

    @Test func `A member keeps its topic, and takes nothing with it when it leaves`() async throws {
        let engine = try await open()
        let member = PresenceMember(key: "ada", connection: "1", node: "a")
        try await engine.enter(member, in: "room")
        await clock.advance(by: .seconds(3600))
        #expect(engine.topicCount == 1)
        try await engine.leave(member, from: "room")
        await clock.advance(by: .seconds(60))
        #expect(engine.topicCount == 0)
    }

    @Test func `A server that closes leaves no topics behind`() async throws {
        let engine = try await open()
        for number in 0..<100 {
            try await engine.subscribe(to: "room:\(number)")
            try await engine.enter(PresenceMember(key: "ada", connection: "1", node: "a"), in: "room:\(number)")
        }
        await engine.close()
        await clock.advance(by: .seconds(60))
        #expect(engine.topicCount == 0)
    }

    @Test func `Joining and leaving countless topics leaves a bounded number of them`() async throws {
        let engine = try await open(.init(idleTopics: 50))
        try await engine.subscribe(to: "used")
        let position = try await engine.publish(.sample("one", to: "used"), keeping: .init(count: 0))
        for number in 0..<1000 {
            try await engine.subscribe(to: "room:\(number)")
            try await engine.unsubscribe(from: "room:\(number)")
            _ = try await engine.history(of: "asked:\(number)", after: nil)
        }
        #expect(engine.topicCount == 51)
        #expect(try await engine.history(of: "used", after: nil).position == position)
    }

    @Test func `Topics that come and go leave no notes of their times behind`() {
        var state = FanOutHubState(.init(idleTopics: 1), SeededRandom(seed: 1).netRandom)
        let node = FanOutNode("a") { _ in }
        for round in 0..<1000 {
            let now = Duration.milliseconds(round)
            for topic in ["one", "two", "three"] {
                _ = state.subscribe(node, to: topic, keeping: .unchanged, now)
                if case .deliver = state.publish(.sample("m", to: topic), keeping: .init(count: 5), now) {
                    _ = state.nextDelivery(of: topic)
                }
                state.unsubscribe(node, from: topic, now)
            }
        }
        #expect(state.topicCount == 1)
        for topic in ["one", "two", "three"] {
            _ = state.subscribe(node, to: topic, keeping: .unchanged, .seconds(2))
        }
        for minute in 0..<10 {
            for topic in ["one", "two", "three"] {
                if case .deliver = state.publish(
                    .sample("m", to: topic), keeping: .init(count: 5), .seconds(60 * minute))
                {
                    _ = state.nextDelivery(of: topic)
                }
            }
        }
        #expect(state.noteCount <= 6)
    }

    @Test func `Topics that are left last stay longest`() async throws {
        let engine = try await open(.init(idleTopics: 1))
        for topic in ["one", "two"] {
            try await engine.subscribe(to: topic)
            _ = try await engine.publish(.sample("m", to: topic), keeping: .init(count: 0))
        }
        try await engine.unsubscribe(from: "two")
        await clock.advance(by: .seconds(1))
        try await engine.unsubscribe(from: "one")
        #expect(try await engine.history(of: "one", after: nil).position.offset == 1)
    }

    @Test func `The histories of all topics together are bounded`() async throws {
        let size = 1 + #"{"text":"hello"}"#.utf8.count
        let engine = try await open(.init(historyBytes: 10 * size))
        let retention = FanOutRetention(count: 100)
        for _ in 1...5 { _ = try await engine.publish(.sample("m", to: "idle"), keeping: retention) }
        try await engine.subscribe(to: "used")
        let start = try await engine.history(of: "used", after: nil).position
        for _ in 1...5 { _ = try await engine.publish(.sample("m", to: "used"), keeping: retention) }
        #expect(try await engine.history(of: "idle", after: nil).position.offset == 5)
        for _ in 6...15 { _ = try await engine.publish(.sample("m", to: "used"), keeping: retention) }
        #expect(engine.topicCount == 1)
        let history = try await engine.history(of: "used", after: start)
        #expect(history.pushes.map(\.offset) == (6...15).map { UInt64($0) })
        #expect(!history.isComplete)
    }

    @Test func `Histories of topics in use expire while others are used`() async throws {
        let engine = try await open(.init(historyBytes: 100))
        for topic in ["one", "two"] { try await engine.subscribe(to: topic) }
        for _ in 1...5 { _ = try await engine.publish(.sample("m", to: "one"), keeping: .init(count: 9)) }
        await clock.advance(by: .seconds(300))
        let start = try await engine.history(of: "two", after: nil).position
        for _ in 1...5 { _ = try await engine.publish(.sample("m", to: "two"), keeping: .init(count: 9)) }
        #expect(try await engine.history(of: "two", after: start).pushes.count == 5)
    }

    @Test func `IDs beyond the number that is remembered are forgotten`() async throws {
        let engine = try await open(.init(rememberedIDs: 3))
        for number in 1...4 {
            _ = try await engine.publish(.sample("m", id: "\(number)"), keeping: .init(count: 0))
        }
        #expect(try await engine.publish(.sample("m", id: "2"), keeping: .init(count: 0)).offset == 2)
        #expect(try await engine.publish(.sample("m", id: "1"), keeping: .init(count: 0)).offset == 5)
    }

    @Test func `As many IDs as pushes are remembered`() async throws {
        let engine = try await open(.init(rememberedIDs: 1))
        for number in 1...4 {
            _ = try await engine.publish(.sample("m", id: "\(number)"), keeping: .init(count: 4))
        }
        #expect(try await engine.publish(.sample("m", id: "1"), keeping: .init(count: 4)).offset == 1)
    }
}
#endif
