#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetSocketCore
import NetTesting
import TestSupport
import Testing

/// The limits that a server enforces, regardless of its clients' behavior.
@Suite(.timeLimit(.minutes(2))) struct BoundsTests {
    @Test func `A session whose client has slept reports the gap`() async throws {
        try await PortWorld.run(PortWorld.router()) {
            $0.maximumOutboxBytes = 64 << 10
        } body: { world in
            var configuration = SocketClient.Configuration()
            configuration.wire = .numberedJSON
            let url = "ws://127.0.0.1:\(world.port)/socket?user=sleeper"
            let client = SocketClient(url, client: WebSocketClient(), configuration: configuration)
            try await client.withConnection { client in
                let room = try await client.join("room:1")
                let events = room.events(.suspend(3))
                let filler = String(repeating: "x", count: 32_000)
                while world.metrics.droppedPushes(.slow) < 20 {
                    try await world.server.channel("room:1").push(Said(text: filler))
                }
                try await world.server.channel("room:1").push(Said(text: "the end"))
                var gaps = 0
                for try await event in events {
                    if case .gap = event { gaps += 1 }
                    if case .push(let push) = event, push.payload?.json?.contains("the end") == true { break }
                }
                #expect(gaps > 0)
            }
        }
    }

    private static func resume(_ session: String) -> String {
        "{\"event\":\"session.resume\",\"sessionId\":\"\(session)\",\"received\":0}"
    }

    @Test func `Of too many sessions, those end whose clients are away`() async throws {
        try await ServerWorld.run(SocketRouter<User>()) {
            $0.maximumSessions = 2
        } body: { world in
            func open(_ session: String) async throws -> WebSocketConnection {
                let socket = try await world.socket(subprotocols: [JSONWireName.numbered])
                try await socket.send(.text(Self.resume(session)))
                return socket
            }
            let first = try await open("1")
            _ = try await first.receive()
            await first.close()
            await world.wait { world.server.connections.isEmpty }
            let (second, third) = (try await open("2"), try await open("3"))
            for socket in [second, third] {
                let answer = try await socket.receive()
                #expect(answer.text?.contains("session.resumed") == true)
            }
            #expect(world.server.core.sessions.count == 2)
            // All are connected: none of them makes room.
            let fourth = try await open("4")
            await expectClosure(1013) { while true { _ = try await fourth.receive() } }
        }
    }

    @Test func `A name of a session that is too long ends its connection`() async throws {
        try await ServerWorld.run(SocketRouter<User>()) { world in
            let socket = try await world.socket(subprotocols: [JSONWireName.numbered])
            try await socket.send(.text(Self.resume(String(repeating: "x", count: 5000))))
            await expectClosure(1008) { while true { _ = try await socket.receive() } }
            #expect(world.server.core.sessions.count == 0)
        }
    }

    @Test func `Commands of one message count like messages, and bytes of none like bytes`() {
        var limits = SocketServerLimits.unlimited
        limits.messages = SocketRateLimit(perSecond: 1, burst: 10)
        limits.bytes = SocketRateLimit(perSecond: 1, burst: 100)
        limits.excess = .close
        var rate = MessageRate(limits, at: .zero)
        #expect(rate.message(of: 0, at: .zero) == .ok)
        #expect(rate.more(9, at: .zero) == .ok)
        #expect(rate.overhead(of: 100, at: .zero) == .ok)
        #expect(rate.more(1, at: .zero) == .exceeded)
        #expect(rate.overhead(of: 1, at: .zero) == .exceeded)
    }

    @Test func `A batch of commands is as many messages`() async throws {
        var router = SocketRouter<User>()
        router.onImmediately(Say.self) { say, _ in .init(text: say.text) }
        try await ServerWorld.run(router, subprotocols: []) {
            $0.wires = ["*": .jsonRPC]
            $0.limits.messages = SocketRateLimit(perSecond: 0.001, burst: 50)
            $0.limits.excess = .close
        } body: { world in
            let socket = try await world.socket()
            let call = #"{"jsonrpc":"2.0","method":"say","params":{"text":"a"},"id":1}"#
            try await socket.send(.text("[" + Array(repeating: call, count: 60).joined(separator: ",") + "]"))
            await expectClosure(1008) { while true { _ = try await socket.receive() } }
        }
    }

    @Test func `A publisher that is faster than the event loop waits for it`() async throws {
        try await PortWorld.run { world in
            let peer = try await world.open()
            try await peer.send(text: RawFrame.join("room:1"))
            await peer.wait { peer.messageCount == 1 }
            let lane = try #require(world.connection(of: "ada")).lane
            let isBlocked = Locked(true)
            // Blocks the loop until it is released.
            let isBusy = Gate()
            lane.run {
                isBusy.open()
                while isBlocked.value {}
            }
            await isBusy.wait()
            let pushed = Locked(0)
            await withThrowingTaskGroup { group in
                group.addTask {
                    for number in 1...5000 {
                        try await world.server.channel("room:1").push(Said(text: "\(number)"))
                        pushed.change { $0 += 1 }
                    }
                }
                await world.wait { pushed.value >= LoopLane.maximumWaiting - 100 }
                for _ in 0..<1000 { await Task.yield() }
                #expect(pushed.value <= LoopLane.maximumWaiting)
                isBlocked.change { $0 = false }
            }
            #expect(pushed.value == 5000)
            peer.end()
        }
    }

    @Test func `Unsent messages are counted by reason`() async throws {
        var router = SocketRouter<User>()
        router.channel("slow") { _ in ChannelRules(interval: .seconds(10)) }
        let (begun, cancelled) = (Gate(), Gate())
        router.on(Say.self) { say, _ in
            begun.open()
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            throw CancellationError()
        }
        try await ServerWorld.run(router) {
            $0.commandTimeout = .seconds(5)
        } body: { world in
            let metrics = world.server.core.metrics
            let socket = try await world.socket()
            try await socket.send(.text(RawFrame.join("slow")))
            _ = try await socket.receive()
            for number in 1...5 { try await world.server.channel("slow").push(Said(text: "\(number)")) }
            // The first one was sent, and the last one waits.
            #expect(metrics.droppedPushes(.replaced) == 3)
            try await socket.send(.text(RawFrame.say("a")))
            // A handler that hasn't begun when its time is over isn't run, and isn't counted.
            await begun.wait()
            await world.advance(by: .seconds(1)) { metrics.commands(.timeout) == 1 }
            #expect(metrics.commands(.cancelled) == 0)
            await socket.close()
        }
    }
}
#endif
