#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

/// Defects of another package's server, each as the correct behavior of this one.
@Suite struct SockitServerDefectTests {
    @Test func `A rejected join is told with a status, so that the client sees it`() async throws {
        var router = SocketRouter<User>()
        router.channel("room") { _ in throw SocketFailure("join_rejected", "no") }
        try await ServerWorld.run(router) { world in
            let socket = try await world.socket()
            try await socket.send(#"{"event":"channel.join","requestId":"1","payload":{"topic":"room"}}"#)
            let reply = try await socket.receive().text ?? ""
            #expect(reply.contains(#""status":"error""#))
            #expect(reply.contains("join_rejected"))
            await socket.close()
        }
    }

    @Test func `A command without a payload is handled, as is one whose payload is a scalar or null`() async throws {
        var router = SocketRouter<User>()
        let heard = Locked<[String?]>([])
        router.on("anything") { payload, _ in
            heard.change { $0.append(payload?.json) }
            return payload
        }
        try await ServerWorld.run(router) { world in
            let socket = try await world.socket()
            for payload in ["", #","payload":7"#, #","payload":null"#, #","payload":"text""#] {
                try await socket.send("{\"event\":\"anything\",\"requestId\":\"1\"\(payload)}")
                _ = try await socket.receive()
            }
            await socket.close()
        }
        #expect(heard.value == [nil, "7", "null", "\"text\""])
    }

    @Test func `Numbers keep their digits on the way through the server`() async throws {
        let number = "123456789012345678901234567890.10"
        var router = SocketRouter<User>()
        router.on("echo") { payload, _ in payload }
        try await ServerWorld.run(router) { world in
            let socket = try await world.socket()
            try await socket.send("{\"event\":\"echo\",\"requestId\":\"1\",\"payload\":{\"n\":\(number)}}")
            let reply = try await socket.receive().text ?? ""
            #expect(reply.contains("{\"n\":\(number)}"))
            await socket.close()
        }
    }

    @Test func `An authentication that throws is a refusal, never an anonymous user`() async throws {
        struct DatabaseIsDown: Error {}
        let reached = Locked(false)
        var router = SocketRouter<User>()
        router.on("any") { _, _ in
            reached.change { $0 = true }
            return nil
        }
        let server = SocketServer(router: router) { _ in throw DatabaseIsDown() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let url = try await server.address.url
            await expectStatus(403) { _ = try await WebSocketClient().connect(url) }
            server.stop()
            try await group.waitForAll()
        }
        #expect(!reached.value)
    }

    @Test func `Messages of a connection are handled in the order in which they came`() async throws {
        let heard = Locked<[Int]>([])
        var router = SocketRouter<User>()
        router.on("count") { payload, _ in
            let number = Int(payload?.json ?? "") ?? -1
            // Odd ones take longer.
            if number % 2 == 1 { for _ in 1...20 { await Task.yield() } }
            heard.change { $0.append(number) }
            return nil
        }
        try await ServerWorld.run(router) { world in
            let socket = try await world.socket()
            for number in 1...50 { try await socket.send("{\"event\":\"count\",\"payload\":\(number)}") }
            await world.wait { heard.value.count == 50 }
            await socket.close()
        }
        #expect(heard.value == Array(1...50))
    }

    @Test func `Pushes of one sender arrive in the order in which they were sent`() async throws {
        var router = SocketRouter<User>()
        router.channel("room")
        try await ServerWorld.run(router) { world in
            try await world.client().withConnection { client in
                let room = try await client.join("room")
                var heard = room.pushes(of: Said.self, .dropOldest(1000)).makeAsyncIterator()
                for number in 1...200 { try await world.server.channel("room").push(Said(text: "\(number)")) }
                for number in 1...200 {
                    let push = try await heard.next()
                    #expect(push?.text == "\(number)")
                }
            }
        }
    }

    @Test func `A receiver that has ended stops no broadcast`() async throws {
        var router = SocketRouter<User>()
        router.channel("room")
        try await ServerWorld.run(router) { world in
            try await world.client("ada").withConnection { ada in
                let room = try await ada.join("room")
                var heard = room.pushes(of: Said.self).makeAsyncIterator()
                let gone = try await world.socket("bob")
                try await gone.send(#"{"event":"channel.join","requestId":"1","payload":{"topic":"room"}}"#)
                _ = try await gone.receive()
                gone.drop()
                try await world.server.channel("room").push(Said(text: "hello"))
                let push = try await heard.next()
                #expect(push?.text == "hello")
                await world.wait { world.server.members(of: "room").count == 1 }
            }
        }
    }
}
#endif
