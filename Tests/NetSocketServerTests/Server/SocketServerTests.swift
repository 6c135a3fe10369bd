#if Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import Testing

struct SendMessage: SocketCommand {
    static let event = "chat.send"
    struct Response: Codable, Sendable { var id: Int }
    var text: String
}

struct ChatMessage: SocketPush {
    static let event = "chat.message"
    var from: String
    var text: String
}

@Suite struct SocketServerTests {
    static var router: SocketRouter<User> {
        var router = SocketRouter<User>()
        router.channel("room:*") { join in
            if join.principal.name == "eve" { throw SocketFailure("forbidden", "you are no member") }
            return ChannelRules(history: 100)
        }
        router.on(SendMessage.self) { message, context in
            let push = ChatMessage(from: context.principal.name, text: message.text)
            try await context.server.channel("room:general").push(push, except: context.connection)
            return .init(id: message.text.count)
        }
        return router
    }

    @Test func `A command is answered and pushed to the others`() async throws {
        let server = SocketServer(router: Self.router) { handshake in
            handshake.query["user"].map { User(name: $0) }
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            let url = try await server.address.url
            let ada = SocketClient("\(url)/socket?user=ada", configuration: .init(wire: .numberedJSON))
            let bob = SocketClient("\(url)/socket?user=bob", configuration: .init(wire: .numberedJSON))
            try await ada.withConnection { ada in
                try await bob.withConnection { bob in
                    let room = try await bob.join("room:general")
                    _ = try await ada.join("room:general")
                    var pushes = room.pushes(of: ChatMessage.self).makeAsyncIterator()
                    let reply = try await ada.send(SendMessage(text: "hello"))
                    #expect(reply.id == 5)
                    let push = try await pushes.next()
                    #expect(push?.text == "hello")
                    #expect(push?.from == "ada")
                }
            }
            server.stop()
            try await group.waitForAll()
        }
    }

    @Test func `A port that is in use is an error that says so`() async throws {
        let first = SocketServer(router: Self.router) { _ in User(name: "ada") }
        try await withThrowingTaskGroup { group in
            group.addTask { try await first.run() }
            var configuration = SocketServerConfiguration()
            configuration.port = try await first.address.port
            let second = SocketServer(router: Self.router, configuration: configuration) { _ in User(name: "bob") }
            let ready = Task { try await second.ready() }
            let address = Task { try await second.address }
            let error = await #expect(throws: NetError.self) { try await second.run() }
            // Tasks that waited, and those that ask later.
            #expect(await #expect(throws: NetError.self) { try await ready.value }?.code == .connect)
            #expect(await #expect(throws: NetError.self) { _ = try await address.value }?.code == .connect)
            #expect(await #expect(throws: NetError.self) { _ = try await second.address }?.message == error?.message)
            #expect(error?.code == .connect)
            #expect(error?.message.contains("127.0.0.1:\(configuration.port): another program uses that port") == true)
            first.stop()
            try await group.waitForAll()
        }
    }

    @Test func `A server that was stopped before it runs ends immediately, and runs once`() async throws {
        let server = SocketServer(router: Self.router) { _ in User(name: "ada") }
        server.stop()
        try await server.run()
        await #expect(throws: CancellationError.self) { try await server.ready() }
        let error = await #expect(throws: NetError.self) { try await server.run() }
        #expect(error?.message.contains("can run only once") == true)
    }

    @Test func `A server is ready when it listens`() async throws {
        let server = SocketServer(router: Self.router) { _ in User(name: "ada") }
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            try await server.ready()
            let url = try await server.address.url
            let client = SocketClient("\(url)/socket", configuration: .init(wire: .numberedJSON))
            try await client.withConnection { _ in }
            server.stop()
            try await group.waitForAll()
        }
    }
}
#endif
