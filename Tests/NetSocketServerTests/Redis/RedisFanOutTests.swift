#if Redis && os(Linux)
import NetCore
@testable import NetSocketServer
import TestSupport
import Testing

@Suite(.enabled(if: RedisServerProcess.program.path != nil), .timeLimit(.minutes(2)))
struct RedisFanOutTests {
    private static func world(
        _ broker: RedisServerProcess, _ servers: Int = 2,
        _ change: (inout RedisFanOut.Configuration) -> Void = { _ in }
    ) throws -> FanOutWorld {
        // Many tests run concurrently, and a task may wait a long time for a thread.
        var configuration = RedisFanOut.Configuration(
            outage: .wait(.seconds(60)), connectTimeout: .seconds(60), commandTimeout: .seconds(60),
            backoff: .constant(.milliseconds(20)))
        change(&configuration)
        return FanOutWorld(
            engines: try (0..<servers).map { _ in try RedisFanOut(broker.url, configuration) },
            elapse: { try await Task.sleep(for: $0) })
    }

    @Test func `It keeps the rules of engines`() async throws {
        try await RedisServerProcess.with { broker in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, check) in FanOutCheck.all.enumerated() {
                    group.addTask {
                        try await checkFanOutEngine(check) { servers in
                            try Self.world(broker, servers) { $0.prefix = "check-\(number):" }
                        }
                    }
                    if number >= 4 { try await group.next() }
                }
                try await group.waitForAll()
            }
        }
    }

    // MARK: A broker that ends

    private static let kept = FanOutRetention(count: 1000)

    @Test func `A broker that loses nothing goes on with its epochs, and what was missed is delivered`() async throws {
        try await RedisServerProcess.with("--appendonly", "yes", "--appendfsync", "always") { broker in
            let world = try Self.world(broker)
            let inboxes = try await world.open("a", "b")
            for engine in world.engines { try await engine.subscribe(to: "room") }
            let first = try await world.first.publish(.sample("one", id: "1"), keeping: Self.kept)
            for inbox in inboxes { _ = await inbox.messages(1) }
            try await broker.stop()
            for inbox in inboxes { _ = await inbox.others { $0.contains { $0.isAway } } }
            async let second = world.first.publish(.sample("two", id: "2"), keeping: Self.kept)
            try await broker.restart()
            #expect(try await second == ChannelPosition(epoch: first.epoch, offset: 2))
            for inbox in inboxes {
                #expect(await inbox.events(2) == ["one", "two"])
                let others = await inbox.others { $0.contains(.back) }
                #expect(!others.contains { $0.isGap })
            }
            // The first one again, as after a lost reply.
            #expect(try await world.second.publish(.sample("one", id: "1"), keeping: Self.kept) == first)
            await world.close()
        }
    }

    @Test func `A broker that forgets begins another epoch, which each server is told`() async throws {
        try await RedisServerProcess.with { broker in
            let world = try Self.world(broker)
            let inboxes = try await world.open("a", "b")
            for engine in world.engines { try await engine.subscribe(to: "room") }
            let first = try await world.first.publish(.sample("one"), keeping: Self.kept)
            for inbox in inboxes { _ = await inbox.messages(1) }
            try await broker.restart()
            for inbox in inboxes { _ = await inbox.others { $0.contains(.back) } }
            let second = try await world.first.publish(.sample("two", id: "x"), keeping: Self.kept)
            #expect(second.epoch != first.epoch)
            #expect(second.offset == 1)
            for inbox in inboxes {
                #expect(await inbox.events(2) == ["one", "two"])
                let start = ChannelPosition(epoch: second.epoch, offset: 0)
                #expect(inbox.others.contains(.gap(topic: "room", start)))
            }
            #expect(try await world.second.history(of: "room", after: first).isComplete == false)
            await world.close()
        }
    }

    @Test func `A broker that has kept a part names its epochs anew, and knows messages that are sent again`()
        async throws
    {
        try await RedisServerProcess.with("--appendonly", "yes", "--appendfsync", "no") { broker in
            let world = try Self.world(broker)
            let inbox = try await world.open("a")[0]
            try await world.first.subscribe(to: "room")
            let first = try await world.first.publish(.sample("one", id: "1"), keeping: Self.kept)
            _ = await inbox.messages(1)
            try await broker.stopGracefully()
            try await broker.restart()
            let again = try await world.first.publish(.sample("one", id: "1"), keeping: Self.kept)
            #expect(again.epoch != first.epoch)
            #expect(again.offset == 1)
            let next = try await world.first.publish(.sample("two", id: "2"), keeping: Self.kept)
            #expect(next.offset == 2)
            #expect(await inbox.events(2) == ["one", "two"])
            #expect(inbox.others.contains { $0.isGap })
            await world.close()
        }
    }

    @Test func `Without a broker, what is asked for fails immediately or after a wait, as the configuration says`()
        async throws
    {
        try await RedisServerProcess.with { broker in
            for outage in [RedisFanOut.Configuration.Outage.fail, .wait(.milliseconds(200))] {
                let world = try Self.world(broker, 1) {
                    $0.outage = outage
                    $0.prefix = "\(outage)"
                }
                let inbox = try await world.open("a")[0]
                try await broker.stop()
                _ = await inbox.others { $0.contains { $0.isAway } }
                do throws(NetError) {
                    _ = try await world.first.publish(.sample("one", id: "1"), keeping: Self.kept)
                    Issue.record("it was published")
                } catch {
                    #expect(error.underlying as? FanOutUnavailable == FanOutUnavailable(mayHaveArrived: false))
                    #expect(error.message.contains("127.0.0.1:\(broker.port)"))
                }
                await world.close()
                try await broker.restart()
            }
        }
    }

    @Test func `A wait for the broker ends with its task`() async throws {
        try await RedisServerProcess.with { broker in
            let world = try Self.world(broker, 1) { $0.outage = .wait(.seconds(3600)) }
            let inbox = try await world.open("a")[0]
            try await broker.stop()
            _ = await inbox.others { $0.contains { $0.isAway } }
            let task = Task { try await world.first.publish(.sample("one", id: "1"), keeping: Self.kept) }
            task.cancel()
            do {
                _ = try await task.value
                Issue.record("it was published")
            } catch {
                #expect((error as? NetError)?.code == .cancelled)
            }
            await world.close()
        }
    }

    @Test func `The queue for the broker is bounded`() async throws {
        try await RedisServerProcess.with { broker in
            let world = try Self.world(broker, 1) {
                $0.outage = .wait(.seconds(3600))
                $0.maximumWaiting = 10
            }
            let inbox = try await world.open("a")[0]
            try await broker.stop()
            _ = await inbox.others { $0.contains { $0.isAway } }
            try await withThrowingTaskGroup(of: NetError.Code?.self) { group in
                for number in 0..<11 {
                    group.addTask {
                        do throws(NetError) {
                            _ = try await world.first.publish(.sample("m", id: "\(number)"), keeping: Self.kept)
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                #expect(try await group.next() == .limited)
                try await broker.restart()
                while let code = try await group.next() { #expect(code == nil) }
            }
            await world.close()
        }
    }

    // MARK: Members

    private static func member(_ name: String, on node: String) -> PresenceMember {
        PresenceMember(key: name, connection: name, node: node, details: SocketPayload(json: #"{"a":1}"#))
    }

    @Test func `The members of a server that is gone without a word are gone when its lease ends`() async throws {
        try await RedisServerProcess.with { broker in
            let world = try Self.world(broker) { $0.lease = .milliseconds(600) }
            let inboxes = try await world.open("a", "b")
            try await world.second.subscribe(to: "room")
            try await world.first.enter(Self.member("ada", on: "a"), in: "room")
            try await world.second.enter(Self.member("bob", on: "b"), in: "room")
            let (ada, bob) = (Self.member("ada", on: "a"), Self.member("bob", on: "b"))
            _ = await inboxes[1].others { $0.contains(.entered(bob, topic: "room")) }
            await (world.first as? RedisFanOut)?.core.die()
            _ = await inboxes[1].others { $0.contains(.left(ada, topic: "room")) }
            // On a busy machine, its own lease may have ended as well; then it enters again.
            while try await world.second.members(of: "room") != [bob], !Task.isCancelled { await Task.yield() }
            await world.second.close()
        }
    }

    @Test func `A broker that forgets is told who is here`() async throws {
        try await RedisServerProcess.with { broker in
            let world = try Self.world(broker)
            let inboxes = try await world.open("a", "b")
            for engine in world.engines { try await engine.subscribe(to: "room") }
            try await world.first.enter(Self.member("ada", on: "a"), in: "room")
            try await world.first.enter(Self.member("eve", on: "a"), in: "room")
            try await world.second.enter(Self.member("bob", on: "b"), in: "room")
            try await broker.stop()
            for inbox in inboxes { _ = await inbox.others { $0.contains { $0.isAway } } }
            try await world.first.leave(Self.member("eve", on: "a"), from: "room")
            try await broker.restart()
            for inbox in inboxes { _ = await inbox.others { $0.contains(.back) } }
            for engine in world.engines {
                let keys = try await engine.members(of: "room").map(\.key)
                #expect(keys.sorted() == ["ada", "bob"])
            }
            await world.close()
        }
    }

    @Test func `Members that leave in an outage are gone after it, however many they are`() async throws {
        try await RedisServerProcess.with("--appendonly", "yes", "--appendfsync", "always") { broker in
            let world = try Self.world(broker)
            let inboxes = try await world.open("a", "b")
            let (ada, bob, eve) = (
                Self.member("ada", on: "a"), Self.member("bob", on: "b"), Self.member("eve", on: "a")
            )
            for member in [ada, eve] { try await world.first.enter(member, in: "room") }
            try await world.second.enter(bob, in: "room")
            for count in [1, 10_001] {
                try await broker.stop()
                for inbox in inboxes { _ = await inbox.others { $0.last?.isAway == true } }
                try await world.first.leave(ada, from: "room")
                for number in 1..<count { try await world.first.leave(Self.member("\(number)", on: "a"), from: "room") }
                try await broker.restart()
                for inbox in inboxes { _ = await inbox.others { $0.last == .back } }
                #expect(try await world.second.members(of: "room").map(\.key).sorted() == ["bob", "eve"])
                try await world.first.enter(ada, in: "room")
            }
            await world.close()
        }
    }

    // MARK: Holes

    @Test func `A subscription that was cut goes on with what it has missed`() async throws {
        try await RedisServerProcess.with { broker in
            let world = try Self.world(broker)
            let inboxes = try await world.open("a", "b")
            for engine in world.engines { try await engine.subscribe(to: "room") }
            for round in 1...20 {
                for number in 1...10 {
                    let message = FanOutMessage.sample("\(round).\(number)", id: "\(round).\(number)")
                    _ = try await world.first.publish(message, keeping: Self.kept)
                    if number == 5 { try await broker.command("CLIENT", "KILL", "TYPE", "pubsub") }
                }
            }
            for inbox in inboxes {
                let received = await inbox.messages(200)
                #expect(received.map(\.push.offset) == (1...200).map { UInt64($0) })
                #expect(!inbox.others.contains { $0.isGap })
            }
            await world.close()
        }
    }

    @Test func `Messages of which nothing is kept and that were missed are told as a gap`() async throws {
        try await RedisServerProcess.with { broker in
            // The second message is published before the engine that was cut is connected again.
            let world = try Self.world(broker) { $0.backoff = .constant(.seconds(1)) }
            let inboxes = try await world.open("a", "b")
            try await world.second.subscribe(to: "room")
            let none = FanOutRetention(count: 0)
            _ = try await world.first.publish(.sample("one"), keeping: none)
            _ = await inboxes[1].messages(1)
            await (world.second as? RedisFanOut)?.core.cut()
            let missed = try await world.first.publish(.sample("two"), keeping: none)
            _ = await inboxes[1].others { $0.contains(.back) }
            #expect(inboxes[1].others.contains(.gap(topic: "room", missed)))
            _ = try await world.first.publish(.sample("three"), keeping: none)
            #expect(await inboxes[1].events(2) == ["one", "three"])
            await world.close()
        }
    }

    @Test func `Scripts that the broker has forgotten are sent again`() async throws {
        try await RedisServerProcess.with { broker in
            let world = try Self.world(broker, 1)
            let inbox = try await world.open("a")[0]
            try await world.first.subscribe(to: "room")
            try await broker.command("SCRIPT", "FLUSH")
            _ = try await world.first.publish(.sample("one"), keeping: Self.kept)
            #expect(await inbox.events(1) == ["one"])
            await world.close()
        }
    }

    @Test func `Messages that nobody can read are told as a gap, and stop nothing`() async throws {
        try await RedisServerProcess.with { broker in
            let world = try Self.world(broker, 1)
            let inbox = try await world.open("a")[0]
            try await world.first.subscribe(to: "room")
            _ = try await world.first.publish(.sample("one"), keeping: Self.kept)
            for text in ["", "nonsense", "m 2 e\n", "m x y\nz", "e 9 e\n\u{1}", String(repeating: "m", count: 1000)] {
                try await broker.command("PUBLISH", "swift-net:room:c", text)
            }
            try await broker.command("HINCRBY", "swift-net:room:m", "o", "1")
            try await broker.command("XADD", "swift-net:room:s", "2-0", "m", "nonsense", "c", "0")
            let third = try await world.first.publish(.sample("three"), keeping: Self.kept)
            #expect(third.offset == 3)
            #expect(await inbox.events(2) == ["one", "three"])
            let gap = ChannelPosition(epoch: third.epoch, offset: 2)
            #expect(inbox.others == [.gap(topic: "room", gap)])
            await world.close()
        }
    }
}

extension FanOutEvent {
    var isAway: Bool { if case .away = self { true } else { false } }
    var isGap: Bool { if case .gap = self { true } else { false } }
}

extension RedisCore {
    /// Ends like a killed process.
    func die() async {
        node = nil
        pair?.close()
        let task = life.take()
        task?.cancel()
        pairEnd.take()?.resume()
        await task?.value
    }

    /// Cuts its connections.
    func cut() { pair?.close() }
}
#endif
