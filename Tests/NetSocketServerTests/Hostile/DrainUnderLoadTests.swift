#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetSocketCore
import NetTesting
import TestSupport
import Testing

/// A server that shuts down while its clients are active, in memory and in virtual time.
@Suite(.timeLimit(.minutes(2)))
struct DrainUnderLoadTests {
    @Test func `Of two hundred clients that never stop asking, each command that began is answered before the end`()
        async throws
    {
        let begun = Locked(0)
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in
            begun.change { $0 += 1 }
            for _ in 0..<(say.text.utf8.count % 7) { await Task.yield() }
            return .init(text: say.text)
        }
        let answered = Locked(0)
        let closures = Locked<[WebSocketClosure]>([])
        try await ServerWorld.run(router) {
            $0.limits = .unlimited
        } body: { world in
            await withTaskGroup { group in
                for number in 1...200 {
                    group.addTask {
                        guard let socket = try? await world.socket("user\(number)") else { return }
                        var (sent, received) = (0, 0)
                        do {
                            while true {
                                // There are always three in progress.
                                while sent < received + 3 {
                                    sent += 1
                                    let text = String(repeating: "x", count: sent * number % 11)
                                    try await socket.send(.text(RawFrame.say(text, id: sent)))
                                }
                                let reply = try await socket.receive()
                                received += 1
                                if reply.text?.contains("\"ok\"") == true { answered.change { $0 += 1 } }
                            }
                        } catch {
                            // Messages that arrived before the close frame were received before it.
                            if let closure = (error as? NetError)?.closure { closures.change { $0.append(closure) } }
                        }
                    }
                }
                await world.wait { answered.value > 2000 && world.server.core.connections.count == 200 }
                world.server.stop()
            }
        }
        #expect(begun.value == answered.value)
        #expect(closures.value.count == 200)
        #expect(closures.value.allSatisfy { $0.code == .goingAway })
    }

    @Test func `Sessions come back to the next server, spread as they were told, without a lost command`() async throws
    {
        let clock = TestClock()
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in .init(text: say.text) }
        func server() -> SocketServer<User> {
            var configuration = SocketServerConfiguration()
            configuration.clock = clock.netClock
            configuration.limits = .unlimited
            configuration.reconnectSpread = .seconds(20)
            return SocketServer(router: router, configuration: configuration) { User(name: $0.query["user"] ?? "") }
        }
        let (first, second) = (server(), server())
        let returns = Locked<[Duration]>([])
        let isOver = Locked(false)
        let goesOn = Gate()
        let transport = MockWebSocketTransport(subprotocols: [JSONWireName.numbered]) { link, request in
            guard isOver.value else { return try await first.serve(link, target: request.target) }
            returns.change { $0.append(clock.netClock.now()) }
            try await second.serve(link, target: request.target)
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await first.serve() }
            group.addTask { try await second.serve() }
            try await first.ready()
            try await second.ready()
            let clients = (0..<50).map { number in
                SocketClient.over(transport, on: clock, url: "ws://example.com/socket?user=\(number)") {
                    $0.wire = .numberedJSON
                }
            }
            try await withThrowingTaskGroup { sessions in
                let came = Locked(0)
                for client in clients {
                    sessions.addTask {
                        try await client.withConnection { client in
                            _ = try await client.send(Say(text: "before"))
                            came.change { $0 += 1 }
                            await goesOn.wait()
                            // Waits in the session until it is connected again.
                            let reply = try await client.send(Say(text: "after"), timeout: .seconds(100))
                            #expect(reply.text == "after")
                        }
                    }
                }
                while came.value < 50, !Task.isCancelled { await Task.yield() }
                let start = clock.netClock.now()
                first.stop()
                while clients.contains(where: { $0.state.isOpen }), !Task.isCancelled { await Task.yield() }
                isOver.change { $0 = true }
                goesOn.open()
                let ended = Locked(false)
                sessions.addTask {
                    while !ended.value, !Task.isCancelled {
                        await clock.advance(by: .milliseconds(50))
                        await Task.yield()
                    }
                }
                for _ in 0..<50 { try await sessions.next() }
                ended.change { $0 = true }
                // One in each part of the period.
                let waits = returns.value.map { ($0 - start).inSeconds }.sorted()
                #expect(waits.count == 50)
                for (index, wait) in waits.enumerated() {
                    #expect(wait >= Double(index) * 0.4 - 0.1, "\(index): \(wait)")
                    #expect(wait <= Double(index + 1) * 0.4 + 1, "\(index): \(wait)")
                }
                try await sessions.waitForAll()
            }
            second.stop()
            await transport.shutdown()
            group.addTask {
                while !Task.isCancelled {
                    await clock.advance(by: .milliseconds(100))
                    await Task.yield()
                }
            }
            try await group.next()
            try await group.next()
            group.cancelAll()
        }
    }

    @Test func `A connection whose reading is paused ends with the server`() async throws {
        var router = SocketRouter<User>()
        let (started, cancelled) = (Gate(), Gate())
        router.on(Say.self) { say, _ in
            started.open()
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return .init(text: say.text)
        }
        try await ServerWorld.run(router) {
            $0.maximumCommands = 1
            $0.commandTimeout = nil
        } body: { world in
            let socket = try await world.socket()
            for id in 1...5 { try await socket.send(.text(RawFrame.say("a", id: id))) }
            await started.wait()
            world.server.stop()
            await world.advance(by: .seconds(1)) { world.server.core.connections.count == 0 }
        }
    }

    @Test func `A client that joins twice at once is a member, and receives`() async throws {
        let engine = SlowSubscribing()
        var router = SocketRouter<User>()
        router.channel("room:*") { _ in ChannelRules() }
        try await ServerWorld.run(router) {
            $0.fanOut = engine
        } body: { world in
            let socket = try await world.socket()
            try await socket.send(.text(RawFrame.join("room:1", id: 1)))
            await world.wait { engine.count.value == 1 }
            // The engine is processing the earlier join, and ignores that it was abandoned.
            try await socket.send(.text(RawFrame.join("room:1", id: 2)))
            let reply = try await socket.receive()
            #expect(reply.text?.contains("\"j2\"") == true)
            engine.first.open()
            await world.wait { engine.ended.value == 2 }
            for _ in 0..<1000 { await Task.yield() }
            #expect(world.server.channel("room:1").count == 1)
            try await world.server.channel("room:1").push(Said(text: "hello"))
            let push = try await socket.receive()
            #expect(push.text?.contains("hello") == true)
        }
    }
}

/// An engine whose first subscription blocks until it is released.
private final class SlowSubscribing: FanOutEngine {
    let memory = MemoryFanOut()
    let first = Gate()
    let count = Locked(0)
    let ended = Locked(0)

    func open(as node: String, _ receive: @escaping @Sendable (FanOutEvent) -> Void) async throws(NetError) {
        try await memory.open(as: node, receive)
    }
    func subscribe(to topic: String, keeping retention: FanOutRetention) async throws(NetError) {
        // Doesn't apply to the topics of users.
        guard topic == "room:1" else { return try await memory.subscribe(to: topic, keeping: retention) }
        count.change { $0 += 1 }
        if count.value == 1 { await first.wait() }
        try await memory.subscribe(to: topic, keeping: retention)
        ended.change { $0 += 1 }
    }
    func unsubscribe(from topic: String) async throws(NetError) { try await memory.unsubscribe(from: topic) }
    func publish(
        _ message: FanOutMessage, keeping retention: FanOutRetention?
    ) async throws(NetError) -> ChannelPosition {
        try await memory.publish(message, keeping: retention)
    }
    func history(of topic: String, after position: ChannelPosition?) async throws(NetError) -> FanOutHistory {
        try await memory.history(of: topic, after: position)
    }
    func enter(_ member: PresenceMember, in topic: String) async throws(NetError) {
        try await memory.enter(member, in: topic)
    }
    func leave(_ member: PresenceMember, from topic: String) async throws(NetError) {
        try await memory.leave(member, from: topic)
    }
    func members(of topic: String) async throws(NetError) -> [PresenceMember] { try await memory.members(of: topic) }
    func close() async { await memory.close() }
}
#endif
