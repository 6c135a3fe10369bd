#if Server
import NetCore
import NetSocket
@testable import NetSocketServer
import NetTesting
import TestSupport
import Testing

/// A client that authenticates again as another user.
@Suite(.timeLimit(.minutes(2))) struct UserChangeTests {
    private static func run(
        _ router: SocketRouter<User> = CredentialPeer.router(),
        _ change: (inout SocketServerConfiguration) -> Void = { _ in },
        body: @Sendable (ServerWorld) async throws -> Void
    ) async throws {
        try await ServerWorld.run(router, subprotocols: [], change, body: body)
    }

    // MARK: Channels

    @Test func `Another user is out of the channels that it may not join, and hears so before the reply`() async throws
    {
        try await Self.run { world in
            let peer = try await world.peer()
            try await peer.join("private:ann")
            try await peer.join("room:1")
            let told = try await peer.change(to: "bob")
            #expect(told.with("channel.left").count == 1)
            #expect(told.with("channel.left").first?.contains("private:ann") == true)
            #expect(told.with("channel.left").first?.contains("forbidden") == true)
            try await world.server.channel("private:ann").push(Said(text: "for ann"))
            try await world.server.user("ann").push(Said(text: "to ann"))
            try await world.server.channel("room:1").push(Said(text: "for all"))
            try await world.server.user("bob").push(Said(text: "to bob"))
            let heard = try await peer.heard(until: "to bob")
            #expect(heard.with("for all").count == 1)
            #expect(heard.with("for ann") == [])
            #expect(heard.with("to ann") == [])
            #expect(world.server.users == ["bob"])
            #expect(world.server.topics == ["room:1"])
            await peer.socket.close()
        }
    }

    @Test func `The same user with new credentials isn't asked again`() async throws {
        let asked = Locked(0)
        var router = CredentialPeer.router()
        router.channel("private:*") { _ in
            asked.change { $0 += 1 }
            return ChannelRules(history: 10)
        }
        try await Self.run(router) { world in
            let peer = try await world.peer()
            try await peer.join("private:ann")
            let told = try await peer.change(to: "ann")
            #expect(told.count == 1)
            #expect(asked.value == 1)
            try await world.server.channel("private:ann").push(Said(text: "for ann"))
            #expect(try await peer.heard(until: "for ann").count == 1)
            await peer.socket.close()
        }
    }

    @Test func `Pushes wait while the channels are asked, and reach only those who may stay`() async throws {
        let (gate, asked) = (Gate(), Locked(0))
        var router = CredentialPeer.router()
        router.channel("slow:*") { join in
            asked.change { $0 += 1 }
            if join.principal.name == "bob" { await gate.wait() }
            if join.topic == "slow:no", join.principal.name == "bob" { throw CredentialPeer.refusal }
            return ChannelRules(history: 10)
        }
        try await Self.run(router) { world in
            let peer = try await world.peer()
            try await peer.join("slow:yes")
            try await peer.join("slow:no")
            try await peer.authenticate("bob")
            await world.wait { asked.value == 4 }
            for number in 1...3 {
                try await world.server.channel("slow:no").push(Said(text: "no \(number)"))
                try await world.server.channel("slow:yes").push(Said(text: "yes \(number)"))
            }
            gate.open()
            let told = try await peer.heard(until: #""authenticate""#)
            #expect(told.with("channel.left").count == 1)
            #expect(told.with("yes ").count == 3)
            #expect(told.with("no ") == [])
            try await world.server.channel("slow:no").push(Said(text: "no 4"))
            try await world.server.channel("slow:yes").push(Said(text: "yes 4"))
            #expect(try await peer.heard(until: "yes 4").count == 1)
            await peer.socket.close()
        }
    }

    @Test func `A closure that takes too long refuses its channel`() async throws {
        let (gate, asked) = (Gate(), Locked(false))
        var router = CredentialPeer.router()
        router.channel("slow:*") { join in
            if join.principal.name == "bob" {
                asked.change { $0 = true }
                await gate.wait()
            }
            return ChannelRules(presence: join.principal.name)
        }
        try await Self.run(router) { world in
            let peer = try await world.peer()
            try await peer.join("slow:1")
            try await peer.authenticate("bob")
            await world.wait { asked.value }
            await world.clock.advance(by: .seconds(31))
            let told = try await peer.heard(until: #""authenticate""#)
            #expect(told.with("channel.left").first?.contains("timeout") == true)
            gate.open()
            await world.wait { world.server.topics == [] }
            await world.wait { (try? await world.server.channel("slow:1").members()) == [] }
            await peer.socket.close()
        }
    }

    @Test func `A connection that ends while its channels are asked is out of them`() async throws {
        let (gate, asked) = (Gate(), Locked(false))
        var router = CredentialPeer.router()
        router.channel("slow:*") { join in
            if join.principal.name == "bob" {
                asked.change { $0 = true }
                await gate.wait()
            }
            return ChannelRules(presence: join.principal.name)
        }
        try await Self.run(router) { world in
            let peer = try await world.peer()
            try await peer.join("slow:1")
            try await peer.authenticate("bob")
            await world.wait { asked.value }
            await peer.socket.close()
            await world.wait { world.server.topics == [] }
            gate.open()
            await world.wait { world.server.core.connections.count == 0 }
            await world.wait { (try? await world.server.channel("slow:1").members()) == [] }
        }
    }

    @Test func `More user changes than joins are allowed cost the channels`() async throws {
        try await Self.run {
            $0.limits.joins = SocketRateLimit(perSecond: 1, burst: 2)
        } body: { world in
            let peer = try await world.peer()
            try await peer.join("room:1")
            let first = try await peer.change(to: "bob")
            #expect(first.with("channel.left") == [])
            let second = try await peer.change(to: "eve")
            #expect(second.with("channel.left").first?.contains("too_many_joins") == true)
            await peer.socket.close()
        }
    }

    @Test func `In Phoenix, the channel closes and isn't joined again`() async throws {
        try await Self.run {
            $0.wires = ["*": .phoenixV2]
        } body: { world in
            let peer = try await world.peer()
            try await peer.send(#"["1","1","private:ann","phx_join",{}]"#)
            _ = try await peer.heard(until: "phx_reply")
            try await peer.send(#"[null,"2","lobby","authenticate",{"token":"bob"}]"#)
            let told = try await peer.heard(until: #""private:ann","phx_close""#)
            #expect(told.with("phx_error") == [])
            await peer.socket.close()
        }
    }

    @Test func `In Centrifuge, the channel is unsubscribed for good`() async throws {
        try await Self.run {
            $0.wires = ["*": .centrifuge]
        } body: { world in
            let peer = try await world.peer()
            try await peer.send(#"{"id":1,"connect":{"token":"ann"}}"#)
            _ = try await peer.heard(until: "connect")
            try await peer.send(#"{"id":2,"subscribe":{"channel":"private:ann"}}"#)
            _ = try await peer.heard(until: "subscribe")
            try await peer.send(#"{"id":3,"rpc":{"method":"authenticate","data":{"token":"bob"}}}"#)
            let told = try await peer.heard(until: #""id":3"#)
            #expect(told.with("unsubscribe").first?.contains("2000") == true)
            await peer.socket.close()
        }
    }

    @Test func `Pushes that waited for a slow reader aren't sent to another user`() async throws {
        try await Self.run { world in
            let peer = try await world.peer()
            try await peer.join("private:ann")
            try await peer.join("room:1")
            let connection = try #require(world.server.connections.first).connection
            // As if the reader were slow: everything waits in the outbox.
            connection.lane.run { connection.isHolding = true }
            for number in 1...3 {
                try await world.server.channel("private:ann").push(Said(text: "for ann"))
                try await world.server.user("ann").push(Said(text: "to ann"))
                try await world.server.channel("room:1").push(Said(text: "for all \(number)"))
            }
            let told = try await peer.change(to: "bob")
            #expect(told.with("for all").count == 3)
            #expect(told.with("for ann") == [])
            #expect(told.with("to ann") == [])
            await peer.socket.close()
        }
    }

    // MARK: Presence

    @Test func `The others see one user go and another come`() async throws {
        try await Self.run { world in
            let watcher = try await world.peer("eva")
            try await watcher.join("room:1")
            let peer = try await world.peer()
            try await peer.join("room:1")
            _ = try await watcher.heard(until: #""joins":{"ann""#)
            _ = try await peer.change(to: "bob")
            let gone = try await watcher.heard(until: #""leaves":{"ann""#)
            #expect(gone.last?.contains("bob") == false)
            _ = try await watcher.heard(until: #""joins":{"bob""#)
            await world.wait {
                (try? await world.server.channel("room:1").members().map(\.key).sorted()) == ["bob", "eva"]
            }
            let members = try await world.server.user("ann").members()
            #expect(members == [])
            await peer.socket.close()
            await watcher.socket.close()
        }
    }
}
#endif
