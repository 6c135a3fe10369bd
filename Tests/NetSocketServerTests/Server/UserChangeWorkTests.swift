#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

/// The commands, sessions and limits of a client that authenticates again as another user.
@Suite(.timeLimit(.minutes(2))) struct UserChangeWorkTests {
    private static func run(
        _ router: SocketRouter<User>, subprotocols: [String] = [],
        _ change: (inout SocketServerConfiguration) -> Void = { _ in },
        body: @Sendable (ServerWorld) async throws -> Void
    ) async throws {
        try await ServerWorld.run(router, subprotocols: subprotocols, change, body: body)
    }

    @Test func `Commands of the former user are refused, and those after the credentials are the new user's`()
        async throws
    {
        let (gate, started) = (Gate(), Locked<[String]>([]))
        var router = CredentialPeer.router()
        router.on(Say.self) { say, context in
            started.change { $0.append("\(context.principal.name) \(say.text)") }
            if say.text == "slow" {
                await gate.wait()
                try? await context.connection.push(Said(text: "of the handler"))
            }
            return .init(text: "\(context.principal.name) said \(say.text)")
        }
        try await Self.run(router) { world in
            let peer = try await world.peer()
            try await peer.send(#"{"event":"say","requestId":"1","payload":{"text":"slow"}}"#)
            try await peer.send(#"{"event":"say","requestId":"2","payload":{"text":"waiting"}}"#)
            await world.wait { !started.value.isEmpty }
            try await peer.authenticate("bob")
            try await peer.send(#"{"event":"say","requestId":"3","payload":{"text":"after"}}"#)
            let told = try await peer.heard(until: #""authenticate""#)
            #expect(told.with("user_changed").count == 2)
            gate.open()
            let heard = try await peer.heard(until: "said after")
            #expect(heard == heard.with("bob said after"))
            try await peer.send(#"{"event":"say","requestId":"4","payload":{"text":"last"}}"#)
            #expect(try await peer.heard(until: "bob said last").count == 1)
            #expect(started.value == ["ann slow", "bob after", "bob last"])
            await peer.socket.close()
        }
    }

    @Test func `A join on its way when the user changes is refused, and doesn't make the new user a member`()
        async throws
    {
        let (gate, asked) = (Gate(), Locked(false))
        var router = CredentialPeer.router()
        router.channel("slow:*") { join in
            guard join.principal.name == "ann" else { throw CredentialPeer.refusal }
            asked.change { $0 = true }
            await gate.wait()
            return ChannelRules(presence: "ann")
        }
        try await Self.run(router) { world in
            let peer = try await world.peer()
            try await peer.requestJoin("slow:1", id: "7")
            await world.wait { asked.value }
            let told = try await peer.change(to: "bob")
            #expect(told.with("user_changed").first?.contains(#""requestId":"7""#) == true)
            gate.open()
            await world.wait { world.server.topics == [] }
            await world.wait { (try? await world.server.channel("slow:1").members()) == [] }
            await peer.socket.close()
        }
    }

    @Test func `Credentials that arrive while others are checked come after them`() async throws {
        let (gate, checked) = (Gate(), Locked<[String]>([]))
        var router = CredentialPeer.router()
        router.onCredentials { payload in
            let identity = try CredentialPeer.identity(payload)
            checked.change { $0.append(identity?.principal.name ?? "") }
            if identity?.user == "bob" { await gate.wait() }
            return identity
        }
        try await Self.run(router) { world in
            let peer = try await world.peer()
            try await peer.authenticate("bob", id: "b")
            try await peer.authenticate("carol", id: "c")
            await world.wait { !checked.value.isEmpty }
            for _ in 0..<1000 { await Task.yield() }
            #expect(checked.value == ["bob"])
            gate.open()
            let told = try await peer.heard(until: #""requestId":"c""#)
            #expect(told.with(#""requestId":"b""#).count == 1)
            #expect(world.server.users == ["carol"])
            await peer.socket.close()
        }
    }

    @Test func `A push that was addressed to the former user isn't sent to the new one`() async throws {
        try await Self.run(CredentialPeer.router()) { world in
            let peer = try await world.peer()
            await world.wait { world.server.connections.count == 1 }
            let connection = try #require(world.server.connections.first)
            let base = connection.connection
            // As for a push whose receivers were looked up before the change.
            let push = SharedPush(WirePush(event: "said", payload: SocketPayload(json: #"{"text":"late"}"#)), to: "ann")
            _ = try await peer.change(to: "bob")
            base.lane.run { base.receive(push) }
            try await connection.push(Said(text: "stale"))
            connection.post(.text("stale"))
            try await world.server.user("bob").push(Said(text: "to bob"))
            #expect(try await peer.heard(until: "to bob").count == 1)
            await peer.socket.close()
        }
    }

    @Test func `Each user counts its own connections, and nobody counts none`() async throws {
        try await Self.run(CredentialPeer.router()) {
            $0.limits.connectionsPerUser = 1
        } body: { world in
            let peer = try await world.peer()
            _ = try await peer.change(to: "bob")
            let ann = try await world.peer("ann")
            _ = try await peer.change(to: "nobody")
            // A client may be connected before the server has listed it.
            await world.wait { world.server.users == ["ann"] }
            let bob = try await world.peer("bob")
            await world.wait { world.server.users == ["ann", "bob"] }
            try await peer.authenticate("bob")
            await expectClosure(4401) { while true { _ = try await peer.socket.receive() } }
            await ann.socket.close()
            await bob.socket.close()
        }
    }

    // MARK: Sessions

    @Test func `The session belongs to the new user, without the pushes of the former one`() async throws {
        try await Self.run(CredentialPeer.router(), subprotocols: [JSONWireName.numbered]) { world in
            let resume = #"{"event":"session.resume","sessionId":"5f0c","received":0}"#
            let peer = CredentialPeer(socket: try await world.socket("ann", subprotocols: [JSONWireName.numbered]))
            try await peer.send(resume)
            let resumed = try await peer.heard(until: "session.resumed")
            try await peer.join("private:ann")
            try await world.server.channel("private:ann").push(Said(text: "for ann"))
            try await world.server.user("ann").push(Said(text: "to ann"))
            _ = try await peer.heard(until: "to ann")
            _ = try await peer.change(to: "bob")
            await peer.socket.close()
            await world.wait { world.server.core.connections.count == 0 }
            let ann = CredentialPeer(socket: try await world.socket("ann", subprotocols: [JSONWireName.numbered]))
            try await ann.send(resume)
            await expectClosure(1008) { while true { _ = try await ann.socket.receive() } }
            let epoch = try #require(resumed.last?.split(separator: #""epoch":""#).last?.prefix { $0 != "\"" })
            let bob = CredentialPeer(socket: try await world.socket("bob", subprotocols: [JSONWireName.numbered]))
            try await bob.send(
                #"{"event":"session.resume","sessionId":"5f0c","epoch":"\#(epoch)","received":0}"#)
            // Messages that are sent again follow.
            let answer = try await bob.heard(until: "session.resumed")
            #expect(answer.last?.contains(epoch) == true)
            try await world.server.user("bob").push(Said(text: "to bob"))
            #expect(try await bob.heard(until: "to bob").with("ann") == [])
            await bob.socket.close()
        }
    }
}
#endif
