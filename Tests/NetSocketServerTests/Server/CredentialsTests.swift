#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite struct CredentialsTests {
    static var router: SocketRouter<User> {
        var router = SocketRouter<User>()
        router.on(Say.self) { say, context in .init(text: "\(context.principal.name): \(say.text)") }
        router.onCredentials { payload in
            let token = try payload?.decoded(as: [String: String].self)["token"] ?? ""
            if token == "broken" { throw SocketFailure("unauthorized", "the token is broken") }
            return token.isEmpty ? nil : SocketIdentity(User(name: token), user: token, expiresIn: .seconds(60))
        }
        return router
    }

    @Test func `Messages before the credentials are held in order and handled after them`() async throws {
        try await ServerWorld.run(Self.router, byCredentials: true) { world in
            let socket = try await world.socket("nobody")
            try await socket.send(#"{"event":"say","requestId":"1","payload":{"text":"early"}}"#)
            try await socket.send(#"{"event":"say","requestId":"2","payload":{"text":"later"}}"#)
            try await socket.send(#"{"event":"authenticate","requestId":"3","payload":{"token":"ada"}}"#)
            try await socket.send(#"{"event":"say","requestId":"4","payload":{"text":"last"}}"#)
            var replies: [String] = []
            for _ in 1...4 { replies.append(try await socket.receive().text ?? "") }
            #expect(replies[0].contains(#""requestId":"3""#))
            #expect(replies[0].contains("ok"))
            #expect(replies[1].contains("ada: early"))
            #expect(replies[2].contains("ada: later"))
            #expect(replies[3].contains("ada: last"))
            #expect(world.server.users == ["ada"])
            await socket.close()
        }
    }

    @Test(arguments: ["broken", ""])
    func `Credentials that aren't accepted are refused, and the connection is closed with 4401`(
        token: String
    ) async throws {
        try await ServerWorld.run(Self.router, byCredentials: true) { world in
            let socket = try await world.socket("nobody")
            try await socket.send(#"{"event":"authenticate","requestId":"3","payload":{"token":"\#(token)"}}"#)
            let reply = try await socket.receive()
            #expect(reply.text?.contains("unauthorized") == true)
            await expectClosure(4401) { _ = try await socket.receive() }
        }
    }

    @Test func `A client that doesn't say in time who it is is closed with 4401`() async throws {
        try await ServerWorld.run(Self.router, byCredentials: true) { world in
            let socket = try await world.socket("nobody")
            await world.wait { world.server.core.connections.count == 1 }
            await world.clock.advance(by: .seconds(12))
            await expectClosure(4401) { _ = try await socket.receive() }
        }
    }

    @Test func `More than may be held before the credentials ends the connection`() async throws {
        try await ServerWorld.run(Self.router, byCredentials: true) { world in
            let socket = try await world.socket("nobody")
            for number in 1...101 {
                try await socket.send(#"{"event":"say","requestId":"\#(number)","payload":{"text":""}}"#)
            }
            await expectClosure(1008) { _ = try await socket.receive() }
        }
    }

    @Test func `Credentials that end close the connection with 4401, unless they were renewed`() async throws {
        try await ServerWorld.run(Self.router, lifetime: .seconds(30)) { world in
            let socket = try await world.socket("ada")
            let other = try await world.socket("bob")
            // The lifetime begins when the server has the connection.
            await world.wait { world.server.core.connections.count == 2 }
            try await socket.send(#"{"event":"authenticate","requestId":"1","payload":{"token":"ada"}}"#)
            _ = try await socket.receive()
            await world.clock.advance(by: .seconds(32))
            await expectClosure(4401) { _ = try await other.receive() }
            try await socket.send(#"{"event":"say","requestId":"2","payload":{"text":"still here"}}"#)
            let reply = try await socket.receive()
            #expect(reply.text?.contains("still here") == true)
            await socket.close()
        }
    }

    @Test(arguments: ["", "?user=eve"])
    func `A client that isn't accepted is closed with 4401, and nothing of it is handled`(query: String) async throws {
        try await ServerWorld.run(Self.router) { world in
            let client = WebSocketClient(configuration: .init(clock: world.clock.netClock), transport: world.transport)
            let socket = try await client.connect(WebSocketRequest(url: "ws://example.com/socket\(query)"))
            await expectClosure(4401) { _ = try await socket.receive() }
            #expect(world.server.connections.isEmpty)
        }
    }
}

/// Expects that a WebSocket ends with a code.
func expectClosure(_ code: UInt16, _ body: () async throws -> Void) async {
    do {
        try await body()
        Issue.record("it did not end")
    } catch {
        #expect((error as? NetError)?.closure?.code.rawValue == code, "\(error)")
    }
}
#endif
