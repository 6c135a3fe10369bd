#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite struct SessionTests {
    static func router(_ heard: Locked<[Int]>) -> SocketRouter<User> {
        var router = SocketRouter<User>()
        router.channel("room:*") { _ in ChannelRules(history: 1000) }
        router.on(Say.self) { say, _ in
            heard.change { $0.append(Int(say.text) ?? -1) }
            return .init(text: say.text)
        }
        return router
    }

    @Test(arguments: [1, 2, 3])
    func `Each message arrives once and in order, however often the connection is cut`(seed: Int) async throws {
        let heard = Locked<[Int]>([])
        var faults = WebSocketFaults()
        faults.toServer.failure = .drop
        faults.toServer.point = .bytes(1500 + 113 * seed)
        let count = 200
        try await ServerWorld.run(Self.router(heard), faults: faults) { world in
            let client = world.client {
                $0.delivery = SocketDelivery()
                $0.requestTimeout = .seconds(36_000)
            }
            try await client.withConnection { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let room = try await client.join("room:1")
                    let pushes = room.pushes(of: Said.self, .dropOldest(10_000))
                    group.addTask {
                        var texts: [String] = []
                        for try await push in pushes {
                            texts.append(push.text)
                            if texts.count == count { break }
                        }
                        #expect(texts == (1...count).map(String.init))
                    }
                    group.addTask {
                        for number in 1...count {
                            let reply = try await client.send(Say(text: "\(number)"))
                            #expect(reply.text == "\(number)")
                        }
                    }
                    group.addTask {
                        for number in 1...count {
                            try await world.server.channel("room:1").push(Said(text: "\(number)"))
                            for _ in 1...5 { await Task.yield() }
                        }
                    }
                    let clock = Task {
                        while !Task.isCancelled {
                            // Replies have a time limit: time passes only while the session waits for its next
                            // connection.
                            if !client.state.isOpen { await world.clock.advance(by: .milliseconds(50)) }
                            await Task.yield()
                        }
                    }
                    try await group.waitForAll()
                    clock.cancel()
                }
            }
            #expect(world.transport.requests.count > 3)
        }
        #expect(heard.value == Array(1...count))
    }

    @Test func `A command that waits when its link ends runs after the one before it`() async throws {
        let (started, gate) = (Gate(), Gate())
        var router = SocketRouter<User>()
        router.on(Say.self) { say, _ in
            if say.text == "1" {
                started.open()
                await gate.wait()
            }
            return .init(text: say.text)
        }
        try await ServerWorld.run(router) { world in
            func say(_ text: String) -> String {
                #"{"event":"say","requestId":"\#(text)","payload":{"text":"\#(text)"}}"#
            }
            let resume = #"{"event":"session.resume","sessionId":"5f0c","received":0}"#
            let ada = try await world.socket("ada", subprotocols: [JSONWireName.numbered])
            try await ada.send(resume)
            _ = try await ada.receive()
            try await ada.send(say("1"))
            try await ada.send(say("2"))
            await started.wait()
            let connection = try #require(world.server.core.connections.all.first)
            let isWaiting = Locked(false)
            await world.wait {
                connection.lane.run { isWaiting.change { $0 = !connection.machine.waiting.isEmpty } }
                return isWaiting.value
            }
            await ada.close()
            await world.wait { world.server.core.connections.count == 0 }
            gate.open()
            let again = try await world.socket("ada", subprotocols: [JSONWireName.numbered])
            try await again.send(resume)
            var replies: [String] = []
            while replies.count < 2 {
                let text = try await again.receive().text ?? ""
                if text.contains("\"requestId\"") { replies.append(text) }
            }
            #expect(replies.map { $0.contains("unavailable") } == [false, false])
            await again.close()
        }
    }

    @Test func `A session of another user can't be taken over`() async throws {
        try await ServerWorld.run(Self.router(Locked([]))) { world in
            let name = String(repeating: "a", count: 32)
            let resume = "{\"event\":\"session.resume\",\"sessionId\":\"\(name)\",\"received\":0}"
            let ada = try await world.socket("ada", subprotocols: [JSONWireName.numbered])
            try await ada.send(resume)
            let resumed = try await ada.receive()
            #expect(resumed.text?.contains("session.resumed") == true)
            let eve = try await world.socket("mallory", subprotocols: [JSONWireName.numbered])
            try await eve.send(resume)
            await expectClosure(1008) { _ = try await eve.receive() }
            // Her client is notified a moment before the registry.
            await world.wait { world.server.users == ["ada"] }
            await ada.close()
        }
    }

    @Test func `A session whose client doesn't come back ends, and leaves its channels`() async throws {
        try await ServerWorld.run(Self.router(Locked([]))) { world in
            let ada = try await world.socket("ada", subprotocols: [JSONWireName.numbered])
            try await ada.send(#"{"event":"session.resume","sessionId":"5f0c","received":0}"#)
            try await ada.send(#"{"event":"channel.join","requestId":"1","payload":{"topic":"room:1"}}"#)
            _ = try await ada.receive()
            _ = try await ada.receive()
            await ada.close()
            await world.wait { world.server.core.connections.count == 0 }
            #expect(world.server.topics == ["room:1"])
            #expect(world.server.core.sessions.count == 1)
            await world.advance(by: .seconds(1)) { world.server.core.sessions.count == 0 }
            await world.wait { world.server.topics == [] }
        }
    }

    @Test func `A session that keeps too much is given up, and its client is told`() async throws {
        try await ServerWorld.run(Self.router(Locked([]))) {
            $0.delivery = SocketDelivery(maximumCount: 3)
        } body: { world in
            let ada = try await world.socket("ada", subprotocols: [JSONWireName.numbered])
            try await ada.send(#"{"event":"session.resume","sessionId":"5f0c","received":0}"#)
            try await ada.send(#"{"event":"channel.join","requestId":"1","payload":{"topic":"room:1"}}"#)
            for number in 1...4 {
                if number == 1 {
                    _ = try await ada.receive()
                    _ = try await ada.receive()
                }
                try await world.server.channel("room:1").push(Said(text: "\(number)"))
            }
            await expectClosure(1013) { while true { _ = try await ada.receive() } }
            #expect(world.server.core.sessions.count == 0)
        }
    }
}
#endif
