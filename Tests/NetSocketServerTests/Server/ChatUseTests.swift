#if Server
import Foundation
import Logging
import NetCore
import NetSocket
import NetSocketCore
import NetSocketServer
import NetTesting
import TestSupport
import Testing

/// The needs of a chat: decoded histories, presence, logs, and two ways to authenticate.
@Suite(.timeLimit(.minutes(1))) struct ChatUseTests {
    private static var router: SocketRouter<User> {
        var router = SocketRouter<User>()
        router.channel("room:*") { join in
            // The observer isn't shown.
            ChannelRules(history: 10, presence: join.principal.name == "observer" ? nil : join.principal.name)
        }
        router.on(Say.self) { say, context in
            try await context.server.channel("room:1").push(Said(text: say.text))
            return .init(text: say.text)
        }
        return router
    }

    // MARK: Histories

    @Test func `The history of a channel is decoded`() async throws {
        try await ServerWorld.run(Self.router) { world in
            let room = world.server.channel("room:1")
            try await world.client().withConnection { client in
                try await client.join("room:1")
                for text in ["one", "two"] { try await room.push(Said(text: text)) }
                try await room.push("other", SocketPayload(json: "{}"))
                #expect(try await room.history(last: 10, of: Said.self) == [Said(text: "one"), Said(text: "two")])
                #expect(try await room.history(last: 2, of: Said.self) == [Said(text: "two")])
                try await room.push(Said.event, SocketPayload(json: "7"))
                let error = await #expect(throws: NetError.self) { try await room.history(last: 1, of: Said.self) }
                #expect(error?.code == .decoding)
            }
        }
    }

    @Test func `A position is kept as JSON`() throws {
        let position = ChannelPosition(epoch: "e1", offset: 17)
        let data = try JSONEncoder().encode(position)
        #expect(try JSONDecoder().decode(ChannelPosition.self, from: data) == position)
    }

    // MARK: Presence

    @Test(arguments: ["ada", "observer"])
    func `After a rejoin, the members are those of now`(_ name: String) async throws {
        try await ServerWorld.run(Self.router) { world in
            let (client, bob) = (world.client(name), world.client("bob"))
            client.start()
            bob.start()
            let room = try await client.join("room:1")
            try await bob.join("room:1")
            await world.wait { room.presence["bob"] != nil }
            // Both lose their connection, and only one comes back.
            client.pause()
            bob.close()
            await world.wait { world.server.connections.isEmpty }
            client.resume()
            await world.wait { room.presence.isComplete && room.presence["bob"] == nil }
            #expect(room.presence.keys == (name == "observer" ? [] : [name]))
            client.close()
        }
    }

    @Test func `A user with two connections is one member`() async throws {
        try await ServerWorld.run(Self.router) { world in
            try await world.client("ada").withConnection { ada in
                let room = try await ada.join("room:1")
                try await world.client("ada").withConnection { phone in
                    try await phone.join("room:1")
                    await world.wait { room.presence["ada"]?.metas.count == 2 }
                    #expect(room.presence.count == 1)
                }
                await world.wait { room.presence["ada"]?.metas.count == 1 }
            }
        }
    }

    // MARK: Logs

    @Test func `A command and a join are lines at debug, and a refused handshake is one at info`() async throws {
        try await ServerWorld.run(Self.router) { world in
            try await world.client().withConnection { client in
                try await client.join("room:1")
                _ = try await client.send(Say(text: "PLANTED"))
            }
            let socket = try? await world.socket("eve")
            _ = try? await socket?.receive()
            await world.wait { world.log.value.contains { $0.contains("handshake was refused") } }
            let lines = world.log.value
            #expect(lines.contains { $0.hasPrefix("debug a connection joined a channel") && $0.contains("room:1") })
            #expect(lines.contains { $0.hasPrefix("debug a command ended") && $0.contains("say") })
            #expect(lines.contains { $0.hasPrefix("info a handshake was refused") && $0.contains("/socket") })
            #expect(!lines.contains { $0.contains("PLANTED") })
        }
    }

    @Test func `Where a server listens is one line at info`() async throws {
        let log = Locked<[String]>([])
        var configuration = SocketServerConfiguration()
        configuration.logger = .init(label: "test") { _ in LineLog(lines: log) }
        let server = SocketServer(router: SocketRouter<Void>(), configuration: configuration)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            let port = try await server.address.port
            server.stop()
            try await group.waitForAll()
            let lines = log.value.filter { $0.contains("listen") }
            #expect(lines.count == 1)
            #expect(lines.first?.hasPrefix("info ") == true)
            #expect(lines.first?.contains("\(port)") == true)
        }
    }

    // MARK: Programs and browsers

    private enum Caller: Sendable, Equatable {
        case guest
        case user(String)
    }

    /// Serves programs, which send a header, and browsers, which send their token as the first message.
    private func withServer(_ body: (MockWebSocketTransport, TestClock) async throws -> Void) async throws {
        var router = SocketRouter<Caller>()
        router.onCredentials { payload in
            let token = try payload?.decoded(as: [String: String].self)["token"]
            return token.map { SocketIdentity(.user($0), user: $0, expiresIn: .seconds(3600)) }
        }
        router.authorize { _, context in
            if context.principal == .guest { throw SocketFailure("unauthenticated", "send your token first") }
        }
        router.on(Say.self) { say, context in .init(text: "\(context.principal): \(say.text)") }
        let clock = TestClock()
        var configuration = SocketServerConfiguration()
        configuration.clock = clock.netClock
        let server = SocketServer(identifying: router, configuration: configuration) { handshake in
            guard let token = handshake.bearer else { return SocketIdentity(.guest, expiresIn: .seconds(10)) }
            return token == "wrong" ? nil : SocketIdentity(.user(token), user: token, expiresIn: .seconds(3600))
        }
        let transport = MockWebSocketTransport { link, request in
            try await server.serve(link, target: request.target, headers: request.headers)
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.serve() }
            try await server.ready()
            try await clock.waitForSleepers(count: 1)
            try await body(transport, clock)
            server.stop()
            await transport.shutdown()
            try await group.waitForAll()
        }
    }

    @Test func `A header and a first message authenticate on one server`() async throws {
        try await withServer { transport, clock in
            let client = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
            var request = WebSocketRequest(url: "ws://example.com/socket")
            request.bearer = "ada"
            let program = try await client.connect(request)
            try await program.send(#"{"event":"say","requestId":"1","payload":{"text":"hello"}}"#)
            #expect(try await program.receive().text?.contains(#"user(\"ada\"): hello"#) == true)
            await program.close()
            let browser = try await client.connect(WebSocketRequest(url: "ws://example.com/socket"))
            try await browser.send(#"{"event":"say","requestId":"1","payload":{"text":"hello"}}"#)
            #expect(try await browser.receive().text?.contains("unauthenticated") == true)
            try await browser.send(#"{"event":"authenticate","requestId":"2","payload":{"token":"bob"}}"#)
            _ = try await browser.receive()
            try await browser.send(#"{"event":"say","requestId":"3","payload":{"text":"hello"}}"#)
            #expect(try await browser.receive().text?.contains(#"user(\"bob\"): hello"#) == true)
            await browser.close()
        }
    }

    @Test func `A guest who sends no token is closed with 4401`() async throws {
        try await withServer { transport, clock in
            let client = WebSocketClient(configuration: .init(clock: clock.netClock), transport: transport)
            let browser = try await client.connect(WebSocketRequest(url: "ws://example.com/socket"))
            try await browser.send(#"{"event":"say","requestId":"1","payload":{"text":"hello"}}"#)
            _ = try await browser.receive()
            await clock.advance(by: .seconds(12))
            await expectClosure(4401) { _ = try await browser.receive() }
        }
    }
}
#endif
